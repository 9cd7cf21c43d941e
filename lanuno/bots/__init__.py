"""Players that are programs. They see exactly what a seat sees and act as a seat acts."""
