"""What clients show, in every language that is here; CONTRIBUTING.md says how a sentence gets in."""
