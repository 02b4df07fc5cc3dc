"""What is given out: results, pictures and statistics."""
