"""How sharp a picture is. It knows nothing of the device, so that it can be tested anywhere."""

import numpy as np


def middle_of(image: np.ndarray, share: float) -> np.ndarray:
    """The middle of a picture: this share of its width and of its height, at least 3 pixels of each."""
    height, width = image.shape
    rows = min(height, max(3, round(height * share)))
    columns = min(width, max(3, round(width * share)))
    top, left = (height - rows) // 2, (width - columns) // 2
    return image[top : top + rows, left : left + columns]


def sharpness_of(image: np.ndarray) -> dict[str, float]:
    """
    The variance of the second differences of grey levels (0 to 255), along rows, along columns, and of both together.

    A sharp picture has large ones. One that is blurred along its rows, as by a turn of the robot, has small ones there
    and not along its columns. Pictures with fewer than 3 rows or columns have none.
    """
    if min(image.shape) < 3:
        return {"sharpness": 0.0, "along_rows": 0.0, "along_columns": 0.0}
    levels = image.astype(np.float32)
    inner = levels[1:-1, 1:-1]
    across = levels[1:-1, :-2] - 2 * inner + levels[1:-1, 2:]
    down = levels[:-2, 1:-1] - 2 * inner + levels[2:, 1:-1]
    return {
        "sharpness": float(np.var(across + down)),
        "along_rows": float(np.var(across)),
        "along_columns": float(np.var(down)),
    }
