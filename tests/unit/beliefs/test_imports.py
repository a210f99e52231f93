"""Short jobs import the modules of adversaries: what they have no use for costs them nothing."""

import subprocess
import sys


def test_inclusion_imports_little_besides_itself():
    script = "import sys, disclosure.beliefs.inclusion; print(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    slow = ("scipy.stats", "scipy.optimize", "scipy.integrate", "matplotlib", "pandas", "pydantic")
    assert not [name for name in imported if name.startswith(slow)]
    others = {"case_control", "kernels", "mixtures", "noises", "odds", "profiles", "quantiles", "worlds", "zeros"}
    assert not {f"disclosure.beliefs.{other}" for other in others} & set(imported)
