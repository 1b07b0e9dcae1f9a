// The mount matrix that a system says of a chip.
import type { Matrix } from './mount.ts'

const NUMBERS = /[,;\s]+/
const SQUARE = 0.05

/** `a, b, c; d, e, f; g, h, i`. null: there is none, or it is no rotation and no mirror. */
export const parseMountMatrix = (text: string | null): Matrix | null => {
  const numbers = (text ?? '')
    .split(NUMBERS)
    .filter((each) => each !== '')
    .map(Number)
  if (numbers.length !== 9 || !numbers.every(Number.isFinite)) return null
  const [a, b, c, d, e, f, g, h, i] = numbers as unknown as Matrix
  const rows = [
    [a, b, c],
    [d, e, f],
    [g, h, i],
  ] as const
  const isSquare = rows.every((row, at) =>
    rows.every((other, of) => {
      const product = row[0] * other[0] + row[1] * other[1] + row[2] * other[2]
      return Math.abs(product - (at === of ? 1 : 0)) < SQUARE
    }),
  )
  return isSquare ? [a, b, c, d, e, f, g, h, i] : null
}

/** The unity: the chip lies as the system says it does. */
export const NO_TURN: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
