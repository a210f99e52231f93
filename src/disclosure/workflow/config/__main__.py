"""Write, in the folder of the repository, the files that are made from the models of the settings."""

import pathlib

from disclosure.workflow.config import description

for name, text in description.files().items():
    pathlib.Path(name).write_text(text, encoding="utf-8")
