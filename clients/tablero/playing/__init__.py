"""The code shared by the line mode and the full screen: orders, news, and sentences."""
