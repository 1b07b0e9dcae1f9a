// Poses as sixteen numbers: four rows of four, the rotation in the first three columns, the place in the last.
import { oneLine } from '../../schema/one-line.ts'
import type { Pose } from '../pose.ts'

/** How far rows and columns may be from length 1 and right angles. */
const MAX_OFF = 1e-3

/** The pose, or what is wrong with the numbers, to stand behind their place. */
export const poseOfRows = (m: readonly number[]): Pose | string => {
  const at = (row: number, column: number) => m[4 * row + column] as number
  if (isByColumns(m)) return BY_COLUMNS
  if ([12, 13, 14, 15].some((n) => Math.abs((m[n] as number) - Number(n === 15)) > MAX_OFF))
    return 'has a last row that is not 0, 0, 0, 1'
  for (let i = 0; i < 3; i++)
    for (let j = 0; j <= i; j++) {
      const product = at(i, 0) * at(j, 0) + at(i, 1) * at(j, 1) + at(i, 2) * at(j, 2)
      if (Math.abs(product - Number(i === j)) > MAX_OFF)
        return 'is no rotation: its rows are not of length 1 and at right angles to each other'
    }
  const cross = at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
  const side = at(1, 2) * at(2, 0) - at(1, 0) * at(2, 2)
  const other = at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0)
  if (at(0, 0) * cross + at(0, 1) * side + at(0, 2) * other < 0)
    return 'is a reflection, not a rotation: its determinant is -1'
  return { x: at(0, 3), y: at(1, 3), z: at(2, 3), ...quaternionOf(at) }
}

const BY_COLUMNS = oneLine`
  is written by columns, as WPIcal 2027 writes it (and from the corner of the field); the form wants rows, with the
  place at 3, 7 and 11, from the centre of the field`

const isByColumns = (m: readonly number[]): boolean =>
  [3, 7, 11].every((n) => m[n] === 0) && m[15] === 1 && [12, 13, 14].some((n) => m[n] !== 0)

/** By the largest of the four parts, so that it is exact everywhere. */
const quaternionOf = (at: (row: number, column: number) => number): Pick<Pose, 'qw' | 'qx' | 'qy' | 'qz'> => {
  const [xx, yy, zz] = [at(0, 0), at(1, 1), at(2, 2)]
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz] // times four
  const largest = squares.indexOf(Math.max(...squares))
  const [wx, wy, wz] = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)]
  const [xy, xz, yz] = [at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(1, 2) + at(2, 1)]
  const four = squares[largest] as number
  const [qw, qx, qy, qz] = [
    [four, wx, wy, wz],
    [wx, four, xy, xz],
    [wy, xy, four, yz],
    [wz, xz, yz, four],
  ][largest] as [number, number, number, number]
  const length = Math.hypot(qw, qx, qy, qz)
  return { qw: qw / length, qx: qx / length, qy: qy / length, qz: qz / length }
}
