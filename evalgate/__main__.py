"""Run the command line as `python -m evalgate`."""

from evalgate.boundary import main

if __name__ == "__main__":
    main()
