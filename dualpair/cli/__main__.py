"""`python -m dualpair.cli`: the same commands, under an interpreter of one's choice."""

from dualpair.cli import main

if __name__ == "__main__":
    main()
