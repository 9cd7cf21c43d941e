"""The commands of the terminal. Nothing here decides a rule; nothing here imports Qt."""
