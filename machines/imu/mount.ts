// How the board of an IMU sits on the robot: by three angles, or by where two of its axes point.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** A rotation as a matrix, row by row. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number]

const angle = (limit: number, description: string) => Type.Number({ minimum: -limit, maximum: limit, description })

/** The rotation from the chip to the robot, R = Rz(yaw) · Ry(pitch) · Rx(roll). */
export const ImuMount = Type.Object(
  {
    roll_deg: angle(360, 'About the x axis of the robot, which points forward.'),
    pitch_deg: angle(360, 'About its y axis, which points left; positive tilts the front down.'),
    yaw_deg: angle(360, 'About its z axis, which points up; counter-clockwise.'),
  },
  {
    additionalProperties: false,
    title: 'ImuMount',
    description: 'How the board sits on the robot. All 0: x of the chip points forward, y left, z up.',
  },
)
export type ImuMount = Static<typeof ImuMount>

const DIRECTIONS = {
  forward: [1, 0, 0],
  back: [-1, 0, 0],
  left: [0, 1, 0],
  right: [0, -1, 0],
  up: [0, 0, 1],
  down: [0, 0, -1],
} as const
type Direction = keyof typeof DIRECTIONS
type Vector = readonly [number, number, number]

/** Where two axes of the chip point, as `x_forward_z_up`. */
export type MountName = `x_${Direction}_z_${Direction}`

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** The matrix of each name: its columns are where x, y and z of the chip point. */
const NAMED: ReadonlyMap<MountName, Matrix> = new Map(
  (Object.keys(DIRECTIONS) as Direction[]).flatMap((x) =>
    (Object.keys(DIRECTIONS) as Direction[])
      .filter((z) => dot(DIRECTIONS[x], DIRECTIONS[z]) === 0)
      .map((z): [MountName, Matrix] => {
        const [forX, forZ] = [DIRECTIONS[x], DIRECTIONS[z]]
        const forY = cross(forZ, forX)
        return [`x_${x}_z_${z}`, [forX[0], forY[0], forZ[0], forX[1], forY[1], forZ[1], forX[2], forY[2], forZ[2]]]
      }),
  ),
)

/** Whether it is one of the 24 names. */
export const isMountName = (value: unknown): value is MountName => NAMED.has(value as MountName)

/** The 24 ways in which a board sits square on a robot. */
export const ImuMountName = Type.Enum([...NAMED.keys()], {
  description: oneLine`
    Where the x and the z axis of the chip point on the robot, as its maker prints them on the board:
    \`x_forward_z_up\` lies flat with x to the front. All of them: ${[...NAMED.keys()].join(', ')}.
  `,
})

const DEGREES = 180 / Math.PI

/** As a matrix: chip to robot. */
export const mountMatrix = ({ roll_deg, pitch_deg, yaw_deg }: ImuMount): Matrix => {
  const [cr, sr] = [Math.cos(roll_deg / DEGREES), Math.sin(roll_deg / DEGREES)]
  const [cp, sp] = [Math.cos(pitch_deg / DEGREES), Math.sin(pitch_deg / DEGREES)]
  const [cy, sy] = [Math.cos(yaw_deg / DEGREES), Math.sin(yaw_deg / DEGREES)]
  return [
    cy * cp,
    cy * sp * sr - sy * cr,
    cy * sp * cr + sy * sr,
    sy * cp,
    sy * sp * sr + cy * cr,
    sy * sp * cr - cy * sr,
    -sp,
    cp * sr,
    cp * cr,
  ]
}

/** The angles of a name. */
export const namedMount = (name: MountName): ImuMount => {
  const matrix = NAMED.get(name)
  if (!matrix) throw new Error(`${name} is no way to mount an IMU`)
  const [r00, , , r10, , , r20, r21, r22] = matrix
  if (r20 !== 0) {
    // x points up or down: roll and yaw turn about one axis, and all is said as yaw
    const [, r01, , , r11] = matrix
    return { roll_deg: 0, pitch_deg: r20 > 0 ? -90 : 90, yaw_deg: whole(Math.atan2(-r01, r11)) }
  }
  return { roll_deg: whole(Math.atan2(r21, r22)), pitch_deg: 0, yaw_deg: whole(Math.atan2(r10, r00)) }
}

/** A right angle is one exactly; and none is −0. */
const whole = (radians: number): number => Math.round(radians * DEGREES) + 0

const SQUARE = 1e-9

/** The name of a mount; null: it does not sit square. */
export const nameOfMount = (mount: ImuMount): MountName | null => {
  const matrix = mountMatrix(mount)
  for (const [name, named] of NAMED)
    if (named.every((each, at) => Math.abs(each - matrix[at as 0]) < SQUARE)) return name
  return null
}
