"""Code that tests share. This file is imported before pytest rewrites assertions: PYTEST_DONT_REWRITE."""
