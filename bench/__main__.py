"""`make bench`: every benchmark, each a ratio against a baseline named beside it, in one run."""

from bench import covers, matches, startup

if __name__ == "__main__":
    covers.main()
    matches.main()
    startup.main()
