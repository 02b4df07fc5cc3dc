"""`make bench`: every benchmark, each a ratio against a baseline named beside it, in one run."""

from importlib.util import find_spec

from bench import covers, matches, odds, startup

if __name__ == "__main__":
    covers.main()
    matches.main()
    startup.main()
    odds.main()
    if find_spec("numba") is None:
        print("numba is not installed, so large boxes are left out: make extras")
    else:
        from bench import kernel

        kernel.main()
