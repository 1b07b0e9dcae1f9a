// Adapters of made-up cameras in a process of their own: each is given a result 50 times a second, and publishes the
// vendor's table and our own of it, as in the service, on one session with a robot. The results are as they come,
// without what engines prepare for the table: an adapter does that here as well.
//
//   tables.ts COUNT PORT      PORT 0: no tables; the same timers go off, and nothing is done
//
// Prints a line when all is published. For each line on its standard input it prints one of JSON of the time since the
// line before: { ticks, late, worst_ms }: results, those that were given later than they were due by more than 50 ms,
// and by how much the latest was.
import { createInterface } from 'node:readline'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { extcamActor } from '../../../actors/extcam/extcam-actor.ts'
import { WriteScheduler } from '../../../actors/nt4/write-scheduler.ts'
import { ownTableActor } from '../../../actors/own-table/own-table-actor.ts'
import { RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { Latest } from '../../../machines/latest.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { systemClock } from '../../../native/clock/system.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { frame, intrinsics, seenFrom } from '../../machines/extcam/frames.ts'
import { sessionWith } from './session.ts'

const PERIOD_MS = 20
const LATE_MS = 50
const CAPTURED_BEFORE_US = 9_000
const STARTED_BEFORE_US = 5_000

const [count = 0, port = 0] = process.argv.slice(2).map(Number)

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const template = frame({ robot, tags: [seenFrom(robot, 5), seenFrom(robot, 6)] })
const [SEQ, CAPTURED, STARTED] = (['seq', 'captured_us', 'started_us'] as const).map((field) =>
  RESULT_HEADER.indexOf(field),
) as [number, number, number]

/** The nth result of a camera, at a time of CLOCK_MONOTONIC. */
const resultAt = (seq: number, atUs: number): Result => {
  const data = template.data.slice()
  data[SEQ] = seq
  data[CAPTURED] = atUs - CAPTURED_BEFORE_US
  data[STARTED] = atUs - STARTED_BEFORE_US
  return { layout: template.layout, data }
}

const turns = new WriteScheduler(systemClock.monotonicUs)

/** Publishes both tables of one camera, for as long as the process lives. */
const publish = (n: number, session: Nt4Session): Latest<Result> => {
  const results = new Latest<Result>()
  const link = new Latest<Nt4Session | undefined>()
  link.set(session)
  let frames = 0
  results.subscribe(() => {
    frames += 1
  })
  const installation = { map: demoMap, intrinsics, mount: null }
  const adapter = extcamActor({
    clock: systemClock,
    startedUs: systemClock.monotonicUs(),
    link,
    results,
    snapshot: new Snapshot(),
    hardware: () => undefined,
    installation: () => installation,
    controls: { follow: () => () => {}, carryOut: Effect.never },
    frames: () => frames,
    turns,
    isLive: () => true,
    onMoved: () => () => {},
  })
  createActor(adapter, { input: { streamId: `camera-${n}`, claim: { table: `camera-${n}` } } }).start()
  const own = ownTableActor({
    name: `camera-${n}`,
    link,
    results,
    map: () => demoMap,
    nowUs: systemClock.monotonicUs,
    turns,
    state: () => 'live',
    onMoved: () => () => {},
    fps: () => 1000 / PERIOD_MS,
  })
  createActor(own, { input: { of: 'stream', streamId: `camera-${n}` } }).start()
  return results
}

let [ticks, late, worstMs] = [0, 0, 0]

/** Calls back each 20 ms, for each that is due, however late. */
const tick = (dueMs: number, give: (dueMs: number) => void): void => {
  const lateMs = performance.now() - dueMs
  ticks += 1
  if (lateMs > LATE_MS) late += 1
  worstMs = Math.max(worstMs, lateMs)
  give(dueMs)
  setTimeout(tick, Math.max(0, dueMs + PERIOD_MS - performance.now()), dueMs + PERIOD_MS, give)
}

const defer = () => {} // it ends with the process
const session =
  port === 0 ? undefined : await sessionWith({ defer, say: (text) => console.error(text) }, port, 'tables')
const cameras = Array.from({ length: count }, (_, n) => (session ? publish(n, session) : undefined))
const startMs = performance.now() + PERIOD_MS
cameras.forEach((results, n) => {
  let seq = 0
  const aheadUs = systemClock.monotonicUs() - performance.now() * 1000
  const give = (dueMs: number) => results?.set(resultAt(seq++, Math.round(dueMs * 1000 + aheadUs)))
  const firstMs = startMs + (n * PERIOD_MS) / count
  setTimeout(tick, firstMs - performance.now(), firstMs, give)
})
createInterface({ input: process.stdin }).on('line', () => {
  console.log(JSON.stringify({ ticks, late, worst_ms: worstMs }))
  ;[ticks, late, worstMs] = [0, 0, 0]
})
process.once('SIGTERM', () => process.exit())
console.log('published')
