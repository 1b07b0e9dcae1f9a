import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header, type Result } from '../../../machines/engine/result.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import { fakeMotion } from '../../../native/imu/fake-motion.ts'
import { driveMotion, STANDARD_GRAVITY } from '../../../native/imu/synthetic-drive.ts'
import { startEngine } from '../../support/engine/engine-task.ts'
import { rowObjects } from '../../support/engine/row-objects.ts'
import { arrival } from '../../support/until.ts'

const MOUNT: PoseDocument = { x_m: 0.3, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 40 }
const drive = { seed: 7, speed_m_s: 3, spin_deg_s: 360 }
const field = { length_m: demoMap.length_m, width_m: demoMap.width_m }
const motion = driveMotion({ ...drive, ...field })

interface Turned {
  readonly atUs: number
  readonly yaw: number
}

const wrapped = (angle: number) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))

const turnedOf = (result: Result): Turned => {
  const [truth] = rowObjects(result, 'truth') ?? []
  assert.ok(truth)
  const { field_robot_qw: w, field_robot_qz: z } = truth as Record<string, number>
  return { atUs: header(result, 'captured_us'), yaw: 2 * Math.atan2(z as number, w as number) }
}

const rateAt = (us: number) => motion(us).gyro_rad_s[2]

test('the fake IMU and the synthetic camera turn together, and their times agree to a millisecond', async (t) => {
  const engine = await startEngine(t)
  await engine.open({
    source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 60, motion: 'drive', drive },
    pose: MOUNT,
  })
  const turning = () => engine.results.map(turnedOf).filter(({ atUs }) => Math.abs(rateAt(atUs)) > 1)
  await arrival(
    'forty frames of a turning robot',
    new Promise<void>((resolve) => engine.onResult(() => turning().length >= 40 && resolve())),
    () => engine.results.length,
  )

  const seen = turning()
  let [product, square] = [0, 0]
  for (const { atUs, yaw } of seen) {
    const rate = rateAt(atUs)
    product += wrapped(yaw - motion(atUs).yaw_rad) * rate
    square += rate * rate
  }

  const lagMs = (1000 * product) / square
  const farthest = Math.max(...seen.map(({ atUs, yaw }) => Math.abs(wrapped(yaw - motion(atUs).yaw_rad))))
  assert.ok(Math.abs(lagMs) < 1, `the camera is ${lagMs} ms ahead of the IMU`)
  assert.ok(farthest < 1e-4, `${farthest} rad apart`)
})

test('what the fake IMU feels is how its own orientation and place change', () => {
  const [from, stepUs] = [1_234_567_000_000, 1_000]
  const level: number[] = []
  for (let n = 0; n < 20_000; n++) {
    const us = from + n * stepUs
    const [before, now, after] = [motion(us - stepUs), motion(us), motion(us + stepUs)]
    const turned = (wrapped(after.yaw_rad - before.yaw_rad) / (2 * stepUs)) * 1e6
    assert.ok(Math.abs(turned - now.gyro_rad_s[2]) < 0.05, `${turned} rad/s, not ${now.gyro_rad_s[2]}`)
    level.push(Math.hypot(now.accel_m_s2[0], now.accel_m_s2[1]))
    assert.equal(now.accel_m_s2[2], STANDARD_GRAVITY)
  }

  const hardest = Math.max(...level)
  assert.ok(hardest > 1 && hardest < 4.01, `${hardest} m/s2 along the floor`)
})

test('the fake IMU follows the first camera that drives, and nobody where there is none', () => {
  const manifests: unknown[] = []
  const following = fakeMotion({
    manifests: () => manifests as never,
    map: (id) => (id === 'demo' ? field : undefined),
    otherwise: () => ({ gyro_rad_s: [0, 0, 0.5], accel_m_s2: [0, 0, STANDARD_GRAVITY] }),
  })
  const source = { backend: 'synthetic', motion: 'drive', drive }

  const alone = following(1e6)
  manifests.push({ enabled: true, source: { backend: 'synthetic', motion: 'patrol' }, map_id: 'demo' })
  manifests.push({ enabled: false, source: { ...source, drive: { ...drive, seed: 8 } }, map_id: 'demo' })
  manifests.push({ enabled: true, source: { ...source, drive: { ...drive, seed: 9 } }, map_id: 'none-such' })
  manifests.push({ enabled: true, source, map_id: 'demo' })
  const driven = following(2e6)

  assert.deepEqual(alone.gyro_rad_s, [0, 0, 0.5])
  assert.deepEqual(driven, motion(2e6))
})
