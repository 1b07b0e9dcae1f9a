// A robot with two cameras, of which one engine is killed, and a dashboard that reads where the robot is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PoseDocument, poseFromDocument } from '../../machines/localization/pose.ts'
import type { LocalizationSolve } from '../../machines/localization/solve-document.ts'
import type { Nt4Update } from '../../native/nt4/port.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

/** A robot that stands near the middle of the field, and has six tags on its left. */
const source = {
  backend: 'synthetic',
  width_px: 640,
  height_px: 400,
  fps: 10,
  motion: 'drive',
  drive: { seed: 4, speed_m_s: 0, spin_deg_s: 0 },
} as const

const mountOf = (yaw_deg: number) => ({ x_m: 0.2, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg })

const poseIn = ({ value }: Nt4Update): number[] => [...new Float64Array(Uint8Array.from(value as Uint8Array).buffer)]

test('two cameras give one pose to the robot, in order and each once, also when one engine is killed', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const robot = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  const heard = gather(robot, ['/vedette/localization/'], { prefix: true, all: true })
  const of = (key: string) => heard.updates.filter(({ topic }) => topic.name === `/vedette/localization/${key}`)
  for (const [n, id] of ['left', 'aft'].entries())
    await daemon.addStream({ id, source: { ...source, seed: n }, pose: mountOf(90 + 20 * n) })
  await until(
    'poses',
    () => of('robot_pose').length,
    (count) => count >= 10,
  )

  const solve = await daemon.get<LocalizationSolve>('/v1/localization/solve')
  const { engine_pid } = await daemon.metrics('left')
  process.kill(engine_pid as number, 'SIGKILL')
  const before = of('robot_pose').length
  await until(
    'poses without one camera',
    () => of('robot_pose').length - before,
    (count) => count >= 10,
  )
  await daemon.stream('left', 'live')
  const back = of('robot_pose').length
  await until(
    'poses with it',
    () => of('robot_pose').length - back,
    (count) => count >= 10,
  )

  const { sample } = await daemon.get<{ sample: { robot: PoseDocument } | null }>('/v1/streams/left/truth')
  const truth = poseFromDocument(sample?.robot ?? assert.fail('nobody knows the truth'))
  const poses = of('robot_pose')
  for (const pose of poses) {
    const numbers = poseIn(pose)
    assert.ok(numbers.length === 7 && numbers.every(Number.isFinite))
    const offM = Math.hypot((numbers[0] as number) - truth.x, (numbers[1] as number) - truth.y)
    assert.ok(offM < 0.05, `off by ${offM} m`)
  }
  const stamps = poses.map(({ timestampUs }) => timestampUs)
  assert.ok(stamps.every((us, n) => n === 0 || us > (stamps[n - 1] as number)))
  for (const key of ['std_devs', 'std_xy_m', 'tag_ids', 'streams', 'captured_us', 'map'])
    assert.deepEqual(
      of(key)
        .map(({ timestampUs }) => timestampUs)
        .slice(0, stamps.length),
      stamps.slice(0, of(key).length),
    )
  assert.deepEqual(
    of('captured_us')
      .map(({ value }) => Number(value))
      .slice(0, stamps.length),
    stamps,
  )
  assert.ok(solve.is_sure && solve.pose && (solve.cpu_us ?? 0) > 0, JSON.stringify(solve))
  assert.ok(new Set(solve.tags.filter(({ used }) => used).map(({ stream_id }) => stream_id)).size >= 1)
  await until('tracking', () => of('state').at(-1)?.value === 'tracking') // a pause is a loss for a moment
  const { parts } = await daemon.get<{ parts: { name: string; restarts: number }[] }>('/v1/health')
  assert.equal(parts.find(({ name }) => name === 'localization')?.restarts, 0)
})

test('odometry of the robot is joined in, as soon as it comes and as long as it does', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const robot = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  const { updates } = gather(robot, ['/vedette/localization/'], { prefix: true, all: true })
  const fused = () => updates.filter(({ topic }) => topic.name.endsWith('/fused_pose'))
  await daemon.addStream({ id: 'left', source, pose: mountOf(90) })
  await until('poses', () => updates.filter(({ topic }) => topic.name.endsWith('/robot_pose')).length > 3)
  assert.equal(fused().length, 0)
  const handle = robot.publish('/vedette/localization/odometry', 'struct:Pose2d')
  const says = setInterval(() => {
    robot.write([[handle, new Uint8Array(Float64Array.of(3, 4, 0.5).buffer)]], robot.serverTimeUs())
  }, 20)
  t.after(() => clearInterval(says))

  await until(
    'places by odometry',
    () => fused().length,
    (count) => count >= 5,
  )
  const solve = () => daemon.get<LocalizationSolve>('/v1/localization/solve')
  await until('the yaw of the odometry as a heading', solve, ({ heading }) => heading.said_deg !== null)

  clearInterval(says)
  for (const pose of fused()) assert.ok(poseIn(pose).every(Number.isFinite))
  await until('the end of that', async () => (await solve()).fused === null)
})
