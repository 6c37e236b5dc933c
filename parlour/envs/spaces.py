"""The spaces of Gymnasium for an encoding."""

import numpy as np

from parlour.core import Encoding
from parlour.envs.extras import needs

with needs("gymnasium", "envs"):
    from gymnasium import spaces


def observation_space(encoding: Encoding, more: int = 0) -> spaces.Dict:
    """Observation and action mask; `more` indexes are added to those of the encoding."""
    low = np.concatenate([np.full(part.size, part.low, encoding.dtype) for part in encoding.parts])
    high = np.concatenate([np.full(part.size, part.high, encoding.dtype) for part in encoding.parts])
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.dtype(encoding.dtype).type),
            "action_mask": spaces.Box(0, 1, (encoding.actions + more,), dtype=np.int8),
        }
    )


def action_space(encoding: Encoding, more: int = 0) -> "spaces.Discrete":
    return spaces.Discrete(encoding.actions + more)
