"""The part that the line mode and the full screen share: orders, news, and sentences."""
