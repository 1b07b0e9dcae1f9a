// Slow or hung, decided from what an engine's threads were seen to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type HangWatch,
  hangReason,
  judgeStep,
  LIMITS,
  LOOK_EVERY_MS,
  type StepWatch,
  startHangWatch,
  type ThreadLoad,
  updateHangWatch,
} from '../../../machines/engine/health.ts'

/**
 * One look: how much the threads have computed since the last, whether one runs or waits for a processor, and how late
 * the look came.
 */
interface Look {
  readonly workedMs?: number
  readonly isRunnable?: boolean
  readonly lateMs?: number
}

const asleep: Look = {}
const computing: Look = { workedMs: 240, isRunnable: true }
const starved: Look = { workedMs: 0, isRunnable: true }
const trickling: Look = { workedMs: 0.2 }
const blinking: Look = { workedMs: 3 } // seen asleep each time, and yet it works in between

/**
 * What has been waited for an answer after the same look again and again; ends with the first reason not to wait any
 * more.
 */
const waitFor = (
  what: keyof typeof LIMITS,
  look: Look,
  looks: number,
): { readonly why: string | undefined; readonly afterMs: number } => {
  let [atMs, cpuMs] = [1_000_000, 40]
  let hangWatch: HangWatch = startHangWatch({ cpuMs, isRunnable: false }, atMs)
  for (let n = 1; n <= looks; n++) {
    atMs += LOOK_EVERY_MS + (look.lateMs ?? 0)
    cpuMs += look.workedMs ?? 0
    hangWatch = updateHangWatch(hangWatch, { cpuMs, isRunnable: look.isRunnable ?? false }, atMs)
    const why = hangReason(hangWatch, LIMITS[what])
    if (why !== undefined) return { why, afterMs: n * LOOK_EVERY_MS }
  }
  return { why: undefined, afterMs: looks * LOOK_EVERY_MS }
}

for (const [sentence, what, look, afterMs, why] of [
  ['a thread that stands still hangs after two seconds', 'ping', asleep, 2_000, /stood still for 2\.0 s/],
  ['the housekeeping of a sleeping thread is no work', 'ping', trickling, 2_000, /stood still/],
  [
    'a thread that computes and never answers hangs after ten seconds of its own time',
    'ping',
    computing,
    10_500,
    /computed for 10\.\d s/,
  ],
  ['a driver that sleeps while it opens has ten seconds', 'open', asleep, 10_000, /stood still for 10\.0 s/],
  ['an opening that computes has thirty seconds of its own time', 'open', computing, 31_250, /computed for 30\.\d s/],
] as const)
  test(sentence, () => {
    const seen = waitFor(what, look, 400)

    assert.match(seen.why ?? '', why)
    assert.equal(seen.afterMs, afterMs)
  })

for (const [sentence, look] of [
  ['a thread that waits for a processor is not hung, however long', starved],
  ['a thread that is seen asleep but has worked in between is not hung', blinking],
] as const)
  test(sentence, () => {
    const looksFor50s = 50_000 / LOOK_EVERY_MS

    assert.equal(waitFor('ping', look, looksFor50s).why, undefined)
    assert.equal(waitFor('open', look, looksFor50s).why, undefined)
  })

test('who looks late blames himself: a pause of the looker costs the engine at most two looks', () => {
  const loads: ThreadLoad = { cpuMs: 40, isRunnable: false }
  const start = startHangWatch(loads, 0)

  const after = updateHangWatch(start, loads, 60_000)

  assert.equal(after.idleMs, 2 * LOOK_EVERY_MS)
  assert.equal(hangReason(after, LIMITS.ping), undefined)
})

test('nothing is waited for without end, not even for a processor', () => {
  const { why, afterMs } = waitFor('ping', starved, 1_000)

  assert.match(why ?? '', /not done after 60\.0 s/)
  assert.equal(afterMs, 60_000)
})

test('a moment of work makes up for the time in which a thread stood still', () => {
  let hangWatch = startHangWatch({ cpuMs: 0, isRunnable: false }, 0)
  for (let n = 1; n <= 7; n++)
    hangWatch = updateHangWatch(hangWatch, { cpuMs: 0, isRunnable: false }, n * LOOK_EVERY_MS)
  assert.equal(hangWatch.idleMs, 1_750)

  hangWatch = updateHangWatch(hangWatch, { cpuMs: 2, isRunnable: false }, 2_000)

  assert.equal(hangWatch.idleMs, 0)
})

/**
 * The verdicts on a pipeline that is asked every three seconds, and again after a quarter while the answer is not sure.
 */
const verdicts = (
  looks: readonly (Look & { readonly steps?: number; readonly idle?: true; readonly afterMs?: number })[],
): string[] => {
  let [atMs, cpuMs] = [0, 0]
  let watch: StepWatch | undefined
  return looks.map(({ workedMs = 0, isRunnable = false, steps = 7, idle, afterMs = LOOK_EVERY_MS }) => {
    atMs += afterMs
    cpuMs += workedMs
    const pulse = { is_busy: !idle, steps_done: steps }
    const judged = judgeStep(watch, { pulse, load: { cpuMs, isRunnable }, atMs }, LIMITS.step)
    watch = judged.watch
    return judged.verdict
  })
}

test('a pipeline that waits for pictures turns', () => {
  assert.deepEqual(verdicts([{ idle: true }, { idle: true, afterMs: 3_000 }]), ['turns', 'turns'])
})

test('a pipeline that has done a step since the last look turns, though its threads sleep', () => {
  assert.deepEqual(verdicts([{ steps: 7 }, { steps: 8 }, { steps: 9, afterMs: 3_000 }]), ['unsure', 'turns', 'turns'])
})

test('a pipeline that computes, or waits for a processor, is slow and not hung', () => {
  assert.deepEqual(verdicts([computing, computing, { ...starved, afterMs: 3_000 }]), ['unsure', 'turns', 'turns'])
})

test('a pipeline that stands still in the middle of a step hangs after two seconds', () => {
  const looks = verdicts(Array(9).fill(asleep))

  assert.deepEqual(looks, [...Array(8).fill('unsure'), 'hangs'])
})

test('a step that computes without end hangs after thirty seconds of its own time, over many pings', () => {
  const looks = verdicts(Array(12).fill({ workedMs: 2_950, isRunnable: true, afterMs: 3_000 }))

  assert.equal(looks.indexOf('hangs'), 11)
  assert.deepEqual(new Set(looks.slice(1, 11)), new Set(['turns']))
})

test('the time of one step is not that of the next', () => {
  const look = (steps: number) => ({ workedMs: 20_000, isRunnable: true, steps, afterMs: 3_000 })

  assert.ok(!verdicts([look(1), look(1), look(2), look(2), look(3), look(3)]).includes('hangs'))
})
