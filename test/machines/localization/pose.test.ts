import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  compose,
  eulerDeg,
  identityPose,
  invert,
  type Pose,
  poseFromDocument,
  poseToDocument,
  rotate,
} from '../../../machines/localization/pose.ts'

const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${what}: ${actual} is not ${expected}`)

const samples: readonly Pose[] = [-170, -95, -30, 0, 45, 120, 180].flatMap((yaw_deg) =>
  [-60, 0, 75].map((pitch_deg, n) =>
    poseFromDocument({ x_m: n, y_m: -2 * n, z_m: 0.5, roll_deg: 40 * n - 50, pitch_deg, yaw_deg }),
  ),
)

test('a pose survives the way to a document and back', () => {
  for (const pose of samples) {
    const back = poseFromDocument(poseToDocument(pose))

    const sameRotation = Math.abs(pose.qw * back.qw + pose.qx * back.qx + pose.qy * back.qy + pose.qz * back.qz)
    near(sameRotation, 1, 'rotation')
    near(back.x, pose.x, 'x')
  }
})

test('a pose composed with its inverse stays where it is', () => {
  for (const pose of samples) {
    const { x, y, z, qw } = compose(pose, invert(pose))

    for (const [actual, expected] of [
      [x, 0],
      [y, 0],
      [z, 0],
      [Math.abs(qw), 1],
    ] as const)
      near(actual, expected, 'identity')
  }
})

test('yaw turns forward to the left, pitch turns it down, roll turns left up', () => {
  const turned = (angles: { roll_deg?: number; pitch_deg?: number; yaw_deg?: number }) =>
    poseFromDocument({ ...poseToDocument(identityPose), ...angles })

  near(rotate(turned({ yaw_deg: 90 }), 1, 0, 0)[1], 1, 'y of forward')
  near(rotate(turned({ pitch_deg: 90 }), 1, 0, 0)[2], -1, 'z of forward')
  near(rotate(turned({ roll_deg: 90 }), 0, 1, 0)[2], 1, 'z of left')
})

test('angles are applied roll first, then pitch, then yaw', () => {
  const pose = poseFromDocument({ x_m: 0, y_m: 0, z_m: 0, roll_deg: 90, pitch_deg: 0, yaw_deg: 90 })

  const left = rotate(pose, 0, 1, 0)

  near(left[2], 1, 'left was rolled up before the turn')
  assert.deepEqual(eulerDeg(pose).map(Math.round), [90, 0, 90])
})

/** Between two rotations, radians. */
const angleBetween = (a: Pose, b: Pose): number => {
  const { qx, qy, qz } = compose(invert(a), b)
  return 2 * Math.asin(Math.min(1, Math.hypot(qx, qy, qz)))
}

const angle = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -90, 0, 30, 90, 180))
const steep = fc
  .tuple(fc.constantFrom(-90, 90), fc.constantFrom(0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3), fc.constantFrom(-1, 1))
  .map(([pitch, off, side]) => pitch + side * off)

test('a pose survives the way to angles and back also where it looks straight up or down', () => {
  fc.assert(
    fc.property(angle, fc.oneof(steep, fc.double({ min: -90, max: 90, noNaN: true })), angle, (roll, pitch, yaw) => {
      const pose = poseFromDocument({ x_m: 0, y_m: 0, z_m: 0, roll_deg: roll, pitch_deg: pitch, yaw_deg: yaw })

      const turned = angleBetween(pose, poseFromDocument(poseToDocument(pose)))

      assert.ok(turned < 1e-6, `${roll} ${pitch} ${yaw}: turned by ${turned} rad`)
    }),
    { numRuns: 3000, seed: 36 },
  )
})

test('a tag on the floor or the ceiling keeps its yaw', () => {
  for (const pitch_deg of [-90, 90])
    for (const yaw_deg of [-170, -90, 0, 30, 90, 135]) {
      const document = { x_m: 1, y_m: 2, z_m: 0, roll_deg: 0, pitch_deg, yaw_deg }

      const [roll, pitch, yaw] = eulerDeg(poseFromDocument(document))

      near(roll, 0, `roll at pitch ${pitch_deg} and yaw ${yaw_deg}`)
      near(pitch, pitch_deg, 'pitch')
      near(yaw, yaw_deg, `yaw at pitch ${pitch_deg}`)
    }
})
