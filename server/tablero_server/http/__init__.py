"""Pages, records, replays and the web client over HTTP."""
