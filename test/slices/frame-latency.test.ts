// A robot that is told how old a frame is: the frame's own picture says where the synthetic robot stood, and the truth
// says when it stood there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { epochUs } from '../../native/clock/system.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const FRAMES = 40
const LIMIT_MS = 2

/** Where the robot was, and when: mid-exposure, CLOCK_MONOTONIC. */
interface Truth {
  readonly captured_us: number
  readonly robot: PoseDocument
}

/** What a robot program reads: where it was, and how long ago that was when the value was stamped (CLOCK_MONOTONIC). */
interface Told {
  readonly stampedUs: number
  readonly x_m: number
  readonly y_m: number
  readonly agoMs: number
}

/**
 * The clock of NT4 servers in this process minus CLOCK_MONOTONIC, µs. Read by itself: what the service thinks of these
 * clocks is under test.
 */
const serverOffsetUs = (): number => {
  const readings = Array.from({ length: 20 }, () => {
    const before = process.hrtime.bigint()
    const server = epochUs()
    const after = process.hrtime.bigint()
    return { offset: server - Number(before + after) / 2000, within: Number(after - before) }
  })
  return readings.reduce((best, next) => (next.within < best.within ? next : best)).offset
}

const metresApart = (a: { x_m: number; y_m: number }, b: { x_m: number; y_m: number }) =>
  Math.hypot(a.x_m - b.x_m, a.y_m - b.y_m)

/** The frame in which the robot stood there; undefined: another is nearly as near. */
const frameOf = (told: Told, truths: readonly Truth[]): Truth | undefined => {
  const [nearest, next] = truths.toSorted((a, b) => metresApart(a.robot, told) - metresApart(b.robot, told))
  if (!nearest || !next) return undefined
  return metresApart(nearest.robot, told) < metresApart(nearest.robot, next.robot) / 4 ? nearest : undefined
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number

test('tl and cl tell how long ago the middle of the exposure was when the value was stamped', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const daemon = await site(t).start({ nt4: `127.0.0.1:${port}` })
  const size = { width_px: 640, height_px: 480, noise: 0 }
  const source = { backend: 'synthetic', motion: 'orbit', speed_m_s: 2, fps: 15, ...size } as const
  await daemon.addStream({ id: 'front', source })
  const program = await lab.connect(port, 'robot-program')
  const { updates } = gather(
    program,
    ['botpose_wpiblue', 'tl', 'cl'].map((key) => `/limelight/${key}`),
    { all: true },
  )
  const offsetUs = serverOffsetUs()
  const truths = new Map<number, Truth>()
  const roundTripsUs: number[] = []
  const look = async () => {
    const { status } = await daemon.get<{ status: { round_trip_us: number | null } }>('/v1/device/nt4')
    roundTripsUs.push(status.round_trip_us ?? 0)
    const { sample } = await daemon.get<{ sample: Truth | null }>('/v1/streams/front/truth')
    if (sample) truths.set(sample.captured_us, sample)
    return matched(told(), [...truths.values()])
  }
  const valuesOf = (key: string) =>
    new Map(
      updates.filter(({ topic }) => topic.name === `/limelight/${key}`).map((each) => [each.timestampUs, each.value]),
    )
  /** Of each frame with a pose; its single numbers have its stamp. */
  const told = (): readonly Told[] => {
    const [tl, cl] = [valuesOf('tl'), valuesOf('cl')]
    return [...valuesOf('botpose_wpiblue')].flatMap(([stampUs, pose]) => {
      const [x_m, y_m, , , , , latencyMs, tags] = pose as readonly number[]
      if (!tags || !tl.has(stampUs) || !cl.has(stampUs)) return []
      const agoMs = Number(tl.get(stampUs)) + Number(cl.get(stampUs))
      assert.equal(agoMs, latencyMs)
      return [{ stampedUs: stampUs - offsetUs, x_m, y_m, agoMs } as Told]
    })
  }
  const matched = (all: readonly Told[], known: readonly Truth[]) =>
    all.flatMap((each) => {
      const frame = frameOf(each, known)
      return frame ? [{ toldMs: each.agoMs, passedMs: (each.stampedUs - frame.captured_us) / 1000 }] : []
    })

  const frames = await until('frames whose truth is known', look, ({ length }) => length >= FRAMES)

  // The server's clock is known to half a round trip, which is long where nobody has time for the answer.
  const limitMs = LIMIT_MS + Math.max(...roundTripsUs) / 2000
  const offMs = median(frames.map(({ toldMs, passedMs }) => Math.abs(toldMs - passedMs)))
  t.diagnostic(
    oneLine`
      ${frames.length} frames, ${median(frames.map(({ passedMs }) => passedMs)).toFixed(1)} ms old; off by
      ${offMs.toFixed(3)} ms
    `,
  )
  assert.ok(offMs <= limitMs, `off by ${offMs} ms in the median: ${JSON.stringify(frames)}`)
})
