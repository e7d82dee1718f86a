"""Spaces of observations and actions, as Gymnasium describes them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from branchline.engine.encoding import Encoding
from branchline.env.batch import Observe
from branchline.env.errors import EnvError


def row_space(encoding: Encoding, observe: Observe) -> spaces.Box:
    """What a seat may know, as integers with their bounds or as floats from 0 to 1."""
    if observe == "integers":
        high = np.array(encoding.high, np.int16)
        return spaces.Box(np.zeros_like(high), high, dtype=np.int16)
    if observe == "floats":
        return spaces.Box(0.0, 1.0, (encoding.size,), np.float32)
    raise EnvError("bad_choice", {"value": str(observe)[:80], "known": "integers, floats"})


def masked_space(encoding: Encoding, observe: Observe, actions: int) -> spaces.Dict:
    """The same with a mask of the actions that are allowed, as PettingZoo has it."""
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": row_space(encoding, observe), "action_mask": mask})
