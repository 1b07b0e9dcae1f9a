// A person types one command on a new machine and looks around.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkTablesTypeInfos } from 'ntcore-ts-client'
import { eulerDeg, type PoseDocument } from '../../machines/pose.ts'
import { type Daemon, isRunning, site } from '../support/daemon.ts'
import { isJpeg, viewer } from '../support/preview.ts'
import { stranger } from '../support/stranger.ts'
import { until } from '../support/until.ts'

const FRAMES = 40

/** x, y, z in metres, roll, pitch, yaw in degrees. */
type Place = readonly number[]

test('a fresh data directory gives a running demo that one can see, read and stop', async (t) => {
  const startedMs = performance.now()
  const daemon = await site(t).start({ demo: null, nt4: 'serve:127.0.0.1:0' })
  const { status } = await daemon.stream('demo', 'live')
  const firstPicture = await fetch(`${daemon.url}/v1/streams/demo/frame`)
  const seenMs = performance.now() - startedMs
  t.diagnostic(`exec to ready ${daemon.readyMs.toFixed(0)} ms, to the first picture ${seenMs.toFixed(0)} ms`)

  await t.test('the demo stream is as its manifest says', async () => {
    assert.deepEqual([status.width_px, status.height_px, status.restarts, status.fault], [1280, 800, 0, null])
    assert.deepEqual((await daemon.get<{ errors: object[] }>('/v1/errors')).errors, [])
    assert.equal((await daemon.get<{ status: string }>('/v1/health')).status, 'ok')
  })

  await t.test('the page, its files and both specifications are there', async () => {
    const page = await fetch(daemon.url)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    for (const [, file] of (await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g))
      assert.equal((await fetch(daemon.url + file)).status, 200, file)

    for (const path of ['/openapi.json', '/v1/openapi.json'])
      assert.match((await daemon.get<{ openapi: string }>(path)).openapi, /^3\.1\./)
    for (const path of ['/asyncapi.json', '/v1/asyncapi.json'])
      assert.match((await daemon.get<{ asyncapi: string }>(path)).asyncapi, /^3\./)
  })

  await t.test('pictures come one at a time and live', async (t) => {
    const preview = await viewer(t, `${daemon.url}/v1/streams/demo/preview?max_width=320&fps=15`)
    await until(
      'five pictures',
      () => preview.shown.length,
      (count) => count >= 5,
    )

    assert.equal(firstPicture.headers.get('content-type'), 'image/jpeg')
    assert.ok(isJpeg(await firstPicture.bytes()))
    assert.match(preview.response.headers['content-type'] ?? '', /^multipart\/x-mixed-replace; boundary=/)
    assert.ok(preview.shown.every(({ jpeg }) => isJpeg(jpeg)))
    assert.deepEqual(
      preview.shown.map(({ seq }) => seq),
      preview.shown.map(({ seq }) => seq).toSorted((a, b) => a - b),
    )
  })

  await t.test('the robot is told where it is with each frame, and that is where it is', async (step) => {
    const robot = await stranger(t, daemon.nt4Port)
    const tv = robot.listen<number>('/limelight/tv', NetworkTablesTypeInfos.kDouble)
    const hb = robot.listen<number>('/limelight/hb', NetworkTablesTypeInfos.kDouble)
    const botpose = robot.listen<readonly number[]>('/limelight/botpose_wpiblue', NetworkTablesTypeInfos.kDoubleArray)
    const { truths, poses } = await watchFrames(daemon)

    const errors = [...poses].flatMap(([seq, pose]) => errorOf(pose, truths.get(seq)) ?? [])
    const offByM = median(errors.map(({ m }) => m))
    const offByDeg = median(errors.map(({ deg }) => deg))
    step.diagnostic(
      `median of ${errors.length} poses: off by ${(offByM * 100).toFixed(2)} cm, ${offByDeg.toFixed(3)} deg`,
    )
    assert.ok(errors.length >= FRAMES / 2)
    assert.ok(offByM <= 0.02)
    assert.ok(offByDeg <= 0.5)

    const told = botpose.filter((each) => each.length > 11)
    const known = [...poses.values()]
    const matching = told.filter((each) => known.some((pose) => (errorOf(each, pose)?.m ?? 1) < 1e-6))
    assert.ok(told.every((each) => each.length === 11 + 7 * (each[7] as number)))
    assert.ok(matching.length >= FRAMES / 2, `${matching.length} of ${told.length} are poses that the stream has shown`)

    assert.ok(tv.includes(1) && tv.every((each) => each === 0 || each === 1))
    assert.deepEqual(
      hb,
      hb.toSorted((a, b) => a - b),
    )
    assert.ok(new Set(hb).size >= FRAMES / 2)
  })

  await t.test('the stream knows which tags its camera sees', async () => {
    const read = () => daemon.get<{ sample: { visible: object[] } }>('/v1/streams/demo/truth')
    const { sample } = await until('a visible tag', read, ({ sample }) => sample.visible.length > 0, 2_000)

    assert.ok('distance_m' in (sample.visible[0] as object))
  })

  await t.test('a polite signal ends it and its engine', async (step) => {
    const { engine_pid: engine } = await daemon.metrics('demo')
    const { code, afterMs } = await daemon.end('SIGTERM')

    step.diagnostic(`SIGTERM to end ${afterMs.toFixed(0)} ms`)
    assert.equal(code, 0) // after 3 s it would end itself with 1
    assert.ok(!isRunning(engine as number))
  })
})

interface Sample {
  readonly seq: number
}

/** The newest places of the robot by frame, true and solved, until there are enough of both. */
const watchFrames = async (daemon: Daemon) => {
  const truths = new Map<number, Place>()
  const poses = new Map<number, Place>()
  const look = async () => {
    const [truth, pose] = await Promise.all([
      daemon.get<{ sample: Sample & { robot: PoseDocument } }>('/v1/streams/demo/truth'),
      daemon.get<{ sample: Sample & { rows: Row[] } }>('/v1/streams/demo/pipeline/outputs/pose/sample'),
    ])
    truths.set(truth.sample.seq, placeOfDocument(truth.sample.robot))
    for (const row of pose.sample.rows) poses.set(pose.sample.seq, placeOfRow(row))
    return Math.min(truths.size, poses.size)
  }
  await until('frames', look, (count) => count >= FRAMES)
  return { truths, poses }
}

type Row = Readonly<Record<string, number>>

const placeOfDocument = ({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg }: PoseDocument): Place => [
  ...[x_m, y_m, z_m],
  ...[roll_deg, pitch_deg, yaw_deg],
]

const placeOfRow = (row: Row): Place => {
  const [x, y, z, qw, qx, qy, qz] = ['x_m', 'y_m', 'z_m', 'qw', 'qx', 'qy', 'qz'].map(
    (name) => row[`field_robot_${name}`] as number,
  ) as [number, number, number, number, number, number, number]
  return [x, y, z, ...eulerDeg({ x, y, z, qw, qx, qy, qz })]
}

/** How far two places are apart; the angle is good for small ones. */
const errorOf = (a: Place, b: Place | undefined) => {
  if (!b) return undefined
  const [x, y, z, roll, pitch, yaw] = a.slice(0, 6).map((value, n) => value - (b[n] as number))
  const turn = [roll, pitch, yaw].map((deg = 0) => deg - 360 * Math.round(deg / 360))
  return { m: Math.hypot(x ?? 0, y ?? 0, z ?? 0), deg: Math.hypot(...turn) }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
