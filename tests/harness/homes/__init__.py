"""What is on disk: homes with finished games in them, and disks that run full."""
