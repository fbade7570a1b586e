"""The sentences of clients, in every language; CONTRIBUTING.md says how to add one."""
