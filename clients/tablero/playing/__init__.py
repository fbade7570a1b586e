"""What the line mode and the full screen share: orders, news, and sentences for both."""
