"""`init`: a first policy and a first case, written once and never over anything."""

from typing import Final

from evalgate.commands.first_case import FILES, NEXT, SUITE
from evalgate.commands.ports import Ports

TEMPLATE: Final = """\
# What evalgate holds a change to. Every key is optional; what is absent has the default shown here.
# Keys at the top level are for all groups; a group can override them.

# min_mean = 3.5        # lowest mean of the group and of every case (this default: scores from 1 to 5 only)
# min_pass_k = 0.8      # lowest share of cases that pass in every run (likewise)
# max_drop = 0.10       # largest drop of the mean against the baseline (0.3 for scores from 1 to 5)
# must_detect = 0.20    # a drop the comparison must be able to see (default: twice max_drop)
# max_errors = 1        # errored runs allowed in a case
# on_inconclusive = "warn"   # a drop over the limit that noise can explain: "warn", "block" or "rerun"

# Where recorded runs lie that `evalgate check` checks (this default needs no line).
#
# [[suites]]
# name = "cases"
# kind = "cases"
# path = "evals/cases"

# Which cases are gated together. A case belongs to the first group with a prefix of its id;
# the one group without prefixes takes the rest. Without any group here, each group found gates.
#
# [[groups]]
# name = "refunds"
# prefixes = ["refunds/"]
#
# [[groups]]
# name = "experiments"
# gate = "advisory"     # compared and shown, never blocks
# since = "2026-11-30"
# reason = "why it does not gate yet"
"""


def run(ports: Ports) -> int:
    """Write `evalgate.toml` unless the repository has a policy already, then a case unless it has any; return 0."""
    policy = ports.read_policy(ports.root, None)
    if policy.path is not None:
        ports.say(f"{policy.path} is your policy already; nothing was written.")
        return 0
    ports.write_text(ports.root / "evalgate.toml", TEMPLATE)
    told = "Next: evalgate compare CANDIDATE BASELINE, two result files of your evaluation tool."
    taken = [path for path in (SUITE, *FILES) if (ports.root / path).exists() or (ports.root / path).is_symlink()]
    if taken:
        ports.say(f"Wrote evalgate.toml. {taken[0]} is there already, so no first case was written. {told}")
        return 0
    for path, text in FILES.items():
        ports.write_text(ports.root / path, text)
    wrote = "\n".join(["Wrote evalgate.toml. Wrote a first case:", *(f"    {path}" for path in FILES)])
    ports.say(f"{wrote}\n{NEXT}\nWithout case suites: {told[6:]}")
    return 0
