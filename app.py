"""Opens the page with the settings of the environment. A hosted Space runs this file with VIVA_HOST=0.0.0.0."""

from interviewer.config import load_config
from interviewer.ui.launch import serve

if __name__ == "__main__":
    serve(load_config())
