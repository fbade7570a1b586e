"""Programs and functions in processes of their own: how we start them, talk to them and end them."""
