// A person types one command on a new machine and looks around.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkTablesTypeInfos } from 'ntcore-ts-client'
import { BOTPOSE_HEAD } from '../../machines/extcam/botpose.ts'
import { RAW_STRIDE } from '../../machines/extcam/fiducials.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { isJpeg, pictures, viewer } from '../support/api/preview.ts'
import { stranger } from '../support/nt4/stranger.ts'
import { type Daemon, isRunning, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const FRAMES = 8 // of which the truth was asked for while they were the newest
// a machine with other work to do lets frames pile up, and of those that come at once the newest is told
const MIN_TOLD = 0.5
const ROUNDING_M = 2e-5 // of the document, in which numbers have five decimal places

/** x, y, z in metres, roll, pitch, yaw in degrees. */
type Place = readonly number[]

test('a fresh data directory gives a running demo that one can see, read and stop', async (t) => {
  const startedMs = performance.now()
  const daemon = await site(t).start({ demo: null, nt4: 'serve:127.0.0.1:0' })
  const { status } = await daemon.stream('demo', 'live')
  const firstPicture = await until(
    'a picture',
    () => fetch(`${daemon.url}/v1/streams/demo/frame`),
    ({ ok }) => ok,
  )
  const seenMs = performance.now() - startedMs
  t.diagnostic(`exec to ready ${daemon.readyMs.toFixed(0)} ms, to the first picture ${seenMs.toFixed(0)} ms`)

  await t.test('the demo stream is as its manifest says', async () => {
    assert.deepEqual([status.width_px, status.height_px, status.restarts, status.fault], [1280, 800, 0, null])
    assert.deepEqual((await daemon.get<{ items: object[] }>('/v1/errors')).items, [])
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
      () => pictures(preview.shown).length,
      (count) => count >= 5,
    )

    assert.equal(firstPicture.headers.get('content-type'), 'image/jpeg')
    assert.ok(isJpeg(await firstPicture.bytes()))
    assert.match(preview.response.headers['content-type'] ?? '', /^multipart\/x-mixed-replace; boundary=/)
    assert.ok(pictures(preview.shown).every(({ jpeg }) => isJpeg(jpeg)))
    assert.deepEqual(
      pictures(preview.shown).map(({ seq }) => seq),
      pictures(preview.shown)
        .map(({ seq }) => seq)
        .toSorted((a, b) => a - b),
    )
  })

  await t.test('the robot is told where it is with each frame, and that is where it is', async (step) => {
    const robot = await stranger(t, daemon.nt4Port)
    const json = robot.listen<string>('/limelight/json', NetworkTablesTypeInfos.kString)
    await until('documents, which are written once somebody reads them', () => json.length > 2)
    const botpose = robot.listen<readonly number[]>('/limelight/botpose_wpiblue', NetworkTablesTypeInfos.kDoubleArray)
    const tv = robot.listen<number>('/limelight/tv', NetworkTablesTypeInfos.kDouble)
    const hb = robot.listen<number>('/limelight/hb', NetworkTablesTypeInfos.kDouble)
    await until('a first frame', () => botpose.length)
    const start = { told: json.length, came: (await daemon.metrics('demo')).frames }
    const { told, known } = await watchFrames(daemon, json)
    const { came, heard } = await until(
      'documents of most frames', // a pause of the machine may have cost many at once
      async () => {
        const heard = json.length - start.told
        return { heard, came: (await daemon.metrics('demo')).frames - start.came }
      },
      ({ came, heard }) => heard >= FRAMES && heard >= came * MIN_TOLD,
    )

    const errors = known.map(([pose, truth]) => errorOf(pose, truth))
    const offByM = median(errors.map(({ m }) => m))
    const offByDeg = median(errors.map(({ deg }) => deg))
    step.diagnostic(
      `median of ${errors.length} poses: off by ${(offByM * 100).toFixed(2)} cm, ${offByDeg.toFixed(3)} deg`,
    )
    assert.ok(offByM <= 0.02)
    assert.ok(offByDeg <= 0.5)

    const numbers = told.map(({ fidx }) => fidx)
    step.diagnostic(`${came} frames came out of the engine, ${heard} were told`)
    assert.deepEqual(numbers, [...new Set(numbers)].toSorted(ascending), 'each frame once, in their order')
    assert.deepEqual(hb, hb.toSorted(ascending))

    const arrays = botpose.filter((each) => each.length > BOTPOSE_HEAD)
    const isTold = (pose: Place) =>
      json.some((text) => errorOf(pose, (JSON.parse(text) as Told).botpose_wpiblue).m < ROUNDING_M)
    await until('the document of the newest array', () => arrays.slice(-1).every(isTold))
    assert.ok(
      arrays.length > 0 && botpose.every((each) => each.length === BOTPOSE_HEAD + RAW_STRIDE * (each[7] as number)),
    )
    assert.deepEqual(
      arrays.slice(1).filter((pose) => !isTold(pose)),
      [],
      'the array says what the document says',
    )
    assert.ok(tv.includes(1) && tv.every((each) => each === 0 || each === 1))
  })

  await t.test('the stream knows which tags its camera sees', async () => {
    const read = () => daemon.get<{ sample: { visible: object[] } }>('/v1/streams/demo/truth')
    const { sample } = await until('a visible tag', read, ({ sample }) => sample.visible.length > 0)

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

interface Truth {
  readonly sample: { readonly seq: number; readonly robot: PoseDocument } | null
}

/** What the robot is told of a frame. v: whether there is a target. */
interface Told {
  readonly v: number
  readonly fidx: number
  readonly botpose_wpiblue: Place
}

/** All frames that were told, as soon as of enough of them the truth is known; those as pairs. */
const watchFrames = async (daemon: Daemon, json: readonly string[]) => {
  const truths = new Map<number, Place>()
  const told: Told[] = []
  const look = async () => {
    const { sample } = await daemon.get<Truth>('/v1/streams/demo/truth')
    if (sample) truths.set(sample.seq, placeOf(sample.robot))
    told.push(...json.slice(told.length).map((text) => JSON.parse(text) as Told))
    return told.flatMap(({ v, fidx, botpose_wpiblue }): [Place, Place][] => {
      const truth = truths.get(fidx)
      return v === 1 && truth ? [[botpose_wpiblue, truth]] : []
    })
  }
  const known = await until(`${FRAMES} told frames of which the truth is known`, look, ({ length }) => length >= FRAMES)
  return { told, known }
}

const placeOf = ({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg }: PoseDocument): Place => [
  ...[x_m, y_m, z_m],
  ...[roll_deg, pitch_deg, yaw_deg],
]

/** How far two places are apart; the angle is good for small ones. */
const errorOf = (a: Place, b: Place) => {
  const [x, y, z, roll, pitch, yaw] = a.slice(0, 6).map((value, n) => value - (b[n] as number))
  const turn = [roll, pitch, yaw].map((deg = 0) => deg - 360 * Math.round(deg / 360))
  return { m: Math.hypot(x ?? 0, y ?? 0, z ?? 0), deg: Math.hypot(...turn) }
}

const ascending = (a: number, b: number): number => a - b

const median = (values: readonly number[]): number =>
  values.toSorted(ascending)[Math.floor(values.length / 2)] ?? Number.NaN
