"""From a configuration to the files of the study: what the workflow's rules are told, and what its jobs read and write."""
