"""One room: the fold of its log, the clock, offers, and projections for others."""
