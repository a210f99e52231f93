"""Short jobs import the modules of adversaries: what they have no use for costs them nothing."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["inclusion", "profiles", "mixtures"])
def test_a_module_imports_little_besides_itself(module):
    script = f"import sys, disclosure.beliefs.{module}; print(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    slow = ("scipy.stats", "scipy.optimize", "scipy.integrate", "matplotlib", "pandas", "pydantic")
    assert not [name for name in imported if name.startswith(slow)]
    others = {"inclusion", "profiles", "mixtures", "quantiles", "case_control"} - {module}
    assert not {f"disclosure.beliefs.{other}" for other in others} & set(imported)
