"""Contents of disks: homes with finished games, and disks that run full."""
