import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imuFigures } from '../../../machines/extcam/imu.ts'
import type { Heading } from '../../../machines/extcam/live.ts'
import { resultsJson } from '../../../machines/extcam/results-json.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { statusDocument } from '../../../machines/extcam/status-json.ts'
import type { ImuReading } from '../../../machines/imu/reading.ts'
import {
  compose,
  identityPose,
  type PoseDocument,
  poseFromDocument,
  rotate,
} from '../../../machines/localization/pose.ts'
import { driveMotion, STANDARD_GRAVITY } from '../../../native/imu/synthetic-drive.ts'

const LEVEL: PoseDocument = { x_m: 0, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const DEG = 180 / Math.PI
const motion = driveMotion({ seed: 7, speed_m_s: 3, spin_deg_s: 360, length_m: 16.5, width_m: 8.1 })

/** Of a robot on that drive, whose floor is tilted. */
const readingAt = (at_us: number, tilt: Partial<PoseDocument> = {}): ImuReading => {
  const { quat, gyro_rad_s, accel_m_s2, yaw_rad } = motion(at_us)
  const [qw, qx, qy, qz] = quat
  const floor = poseFromDocument({ ...LEVEL, z_m: 0, ...tilt })
  const { qw: w, qx: x, qy: y, qz: z } = compose(floor, { ...identityPose, qw, qx, qy, qz })
  const back = { ...identityPose, qw: w, qx: -x, qy: -y, qz: -z }
  const [forward, left, up] = rotate(back, 0, 0, 1)
  const [a, b] = accel_m_s2
  return {
    at_us,
    quat: [w, x, y, z],
    roll_deg: 0, // nobody goes by these two
    pitch_deg: 0,
    yaw_deg: yaw_rad * DEG,
    gyro_dps: [gyro_rad_s[0] * DEG, gyro_rad_s[1] * DEG, gyro_rad_s[2] * DEG],
    accel_g: [a / STANDARD_GRAVITY + forward, b / STANDARD_GRAVITY + left, up],
  }
}

const figuresOf = (reading: ImuReading | undefined, mount: PoseDocument | null, heading?: Heading) =>
  imuFigures({ latest: () => reading, at: readingAt, mount: () => mount, heading: () => heading })

/** Of a rotation in a small time, radians about its axes. */
const turnBetween = (before: ArrayLike<number>, after: ArrayLike<number>): readonly number[] => {
  const [w0 = 1, x0 = 0, y0 = 0, z0 = 0] = Array.from(before)
  const [w1 = 1, x1 = 0, y1 = 0, z1 = 0] = Array.from(after)
  const step = compose(
    { ...identityPose, qw: w0, qx: -x0, qy: -y0, qz: -z0 },
    { ...identityPose, qw: w1, qx: x1, qy: y1, qz: z1 },
  )
  return [step.qx, step.qy, step.qz].map((part) => 2 * part * Math.sign(step.qw))
}

const MOUNTS: readonly (PoseDocument | null)[] = [
  null,
  { ...LEVEL, pitch_deg: -11.9 },
  { ...LEVEL, pitch_deg: -20, yaw_deg: 90 },
  { ...LEVEL, roll_deg: 30, pitch_deg: 15, yaw_deg: -130 },
  { ...LEVEL, roll_deg: 180 },
]

test('all ten numbers are right of a turning robot, wherever its camera sits', () => {
  for (const mount of MOUNTS)
    for (let n = 0; n < 400; n++) {
      const us = 5_000_000_000 + n * 37_000
      const [before, now, after] = [us - 500, us, us + 500].map((at) =>
        figuresOf(readingAt(at, { pitch_deg: 3 }), mount),
      )
      assert.ok(before && now && after)
      const [robotYaw = 0, roll = 0, pitch = 0, yaw = 0, ...rest] = now.data
      const [gyro, accel] = [rest.slice(0, 3), rest.slice(3)]
      const { quat } = now
      const [qw = 1, qx = 0, qy = 0, qz = 0] = quat

      assert.equal(now.data.length, 10)
      assert.equal(robotYaw, yaw)
      assert.ok(Math.abs(Math.sin(yaw / DEG - motion(us).yaw_rad)) < 1e-9 && Math.abs(yaw) <= 180)
      const own = poseFromDocument({ ...LEVEL, roll_deg: roll, pitch_deg: pitch })
      const up = rotate({ ...own, qx: -own.qx, qy: -own.qy, qz: -own.qz }, 0, 0, 1)
      const seenUp = rotate({ ...identityPose, qw, qx: -qx, qy: -qy, qz: -qz }, 0, 0, 1)
      assert.ok(up.every((part, i) => Math.abs(part - (seenUp[i] as number)) < 1e-9))
      turnBetween(before.quat, after.quat).forEach((turn, i) => {
        const rate = turn * DEG * 1000
        assert.ok(Math.abs(rate - (gyro[i] as number)) < 0.5, `${rate} about axis ${i}, not ${gyro[i]}`)
      })
      const force = rotate({ ...identityPose, qw, qx, qy, qz }, -(accel[0] ?? 0), -(accel[1] ?? 0), accel[2] ?? 0)
      const felt = Math.hypot(force[0], force[1])
      const driven = Math.hypot(motion(us).accel_m_s2[0], motion(us).accel_m_s2[1]) / STANDARD_GRAVITY
      assert.ok(Math.abs(felt - driven) < 0.02, `${felt} g along the floor, not ${driven}`)
      assert.ok(Math.abs(force[2] - 1) < 0.03)
    }
})

test('a camera that stands tilted up says what was captured of the vendor', () => {
  const still: ImuReading = {
    at_us: 1,
    quat: [1, 0, 0, 0],
    roll_deg: 0,
    pitch_deg: 0,
    yaw_deg: 0,
    gyro_dps: [0, 0, 0],
    accel_g: [0, 0, 1],
  }

  const { data } = figuresOf(still, { ...LEVEL, pitch_deg: -12 }) ?? { data: [] }

  assert.ok(Math.abs((data[2] as number) + 12) < 1e-9)
  assert.ok(Math.abs((data[7] as number) + 0.208) < 0.001)
  assert.ok(Math.abs((data[9] as number) - 0.988) < 0.011) // which itself is one per cent more than 1 g
})

test("the robot's yaw is what it said, and what the IMU has turned since", () => {
  const now = 9_000_000_000
  const heading = { at_us: now - 40_000, yaw_deg: 725, yaw_rate_dps: 0 }
  const turned = ((motion(now).yaw_rad - motion(heading.at_us).yaw_rad) * 180) / Math.PI

  const { data } = figuresOf(readingAt(now), null, heading) ?? { data: [] }

  assert.ok(Math.abs((data[0] as number) - (5 + turned)) < 1e-6)
  assert.notEqual(data[0], data[3])
})

test('what cannot be computed with is not shown, and neither is an IMU that there is not', () => {
  const broken: ImuReading = { ...readingAt(1e9), accel_g: [Number.NaN, 0, 1] }
  const snapshot = new Snapshot()

  assert.equal(figuresOf(broken, null), undefined)
  assert.equal(figuresOf(undefined, null), undefined)
  assert.equal(snapshot.imu.length, 0)
  assert.equal('imu' in JSON.parse(resultsJson(snapshot)), false)
})

test('the documents have what the key has', () => {
  const snapshot = new Snapshot()
  snapshot.inertial = figuresOf(readingAt(5e9), { ...LEVEL, pitch_deg: -20 })

  const { imu } = JSON.parse(resultsJson(snapshot))
  const { finalimu, finalYaw, cameraQuat } = statusDocument(snapshot, { table: 'limelight', fps: 30 })

  const isSame = (value: number, i: number) => Math.abs(value - (snapshot.imu[i] as number)) < 1e-5
  assert.ok(imu.data.length === 10 && imu.data.every(isSame))
  assert.equal(imu.yaw, imu.data[0])
  assert.equal(imu.quat.length, 4)
  assert.deepEqual(finalimu, [...snapshot.imu])
  assert.equal(finalYaw, snapshot.imu[0])
  assert.equal(cameraQuat.w, snapshot.inertial?.quat[0])
})
