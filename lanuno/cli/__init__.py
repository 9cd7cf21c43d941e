"""The terminal commands. No module here decides a rule or imports Qt."""
