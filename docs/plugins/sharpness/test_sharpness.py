import unittest

import numpy as np

from sharpness import middle_of, sharpness_of

CHESSBOARD = np.uint8(255) * (np.indices((120, 160)).sum(axis=0) // 8 % 2).astype(np.uint8)


def blurred(image, axis, width=9):
    """As a move during the exposure blurs it."""
    moved = [np.roll(image, step, axis).astype(np.float32) for step in range(width)]
    return np.mean(moved, axis=0).astype(np.uint8)


class Sharpness(unittest.TestCase):
    def test_a_picture_of_one_grey_has_none(self):
        self.assertEqual(sharpness_of(np.full((40, 60), 128, np.uint8))["sharpness"], 0)

    def test_a_blurred_picture_is_less_sharp(self):
        sharp = sharpness_of(CHESSBOARD)["sharpness"]

        self.assertLess(sharpness_of(blurred(CHESSBOARD, axis=1))["sharpness"], sharp / 2)

    def test_a_turn_blurs_rows_more_than_columns(self):
        found = sharpness_of(blurred(np.kron(np.indices((20, 20)).sum(axis=0) % 2 * 255, np.ones((8, 8))), axis=1))

        self.assertLess(found["along_rows"] * 4, found["along_columns"])

    def test_a_picture_that_is_too_small_has_none(self):
        self.assertEqual(sharpness_of(np.zeros((2, 50), np.uint8))["sharpness"], 0)

    def test_the_middle_is_in_the_middle(self):
        image = np.zeros((100, 200), np.uint8)
        image[40:60, 80:120] = 1

        middle = middle_of(image, 0.2)

        self.assertEqual(middle.shape, (20, 40))
        self.assertEqual(int(middle.min()), 1)


if __name__ == "__main__":
    unittest.main()
