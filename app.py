"""Opens the page with the settings of the environment. A hosted Space runs this file."""

from interviewer.config import load_config
from interviewer.ui.launch import serve

if __name__ == "__main__":
    serve(load_config())
