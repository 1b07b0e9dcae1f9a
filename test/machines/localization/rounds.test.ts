// Frames of free-running cameras, collected into rounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OBSERVATION_HEAD } from '../../../machines/localization/observation.ts'
import type { Round, RoundFrame } from '../../../machines/localization/round.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'

const MS = 1_000
const WAIT_US = 40 * MS
const observation = new Float64Array(OBSERVATION_HEAD.length)

const frame = (streamId: string, capturedMs: number): RoundFrame => ({
  streamId,
  capturedUs: capturedMs * MS,
  timestampSource: 'start-of-exposure',
  observation,
  starts: [],
})

const roundsOf = (...streams: string[]): Rounds => {
  const rounds = new Rounds({ waitUs: WAIT_US })
  rounds.setStreams(streams)
  return rounds
}

const shown = (round: Round | undefined) => round?.frames.map(({ streamId, capturedUs }) => [streamId, capturedUs / MS])

/** A frame that is on its way. */
interface Sent {
  readonly frame: RoundFrame
  readonly cameUs: number
}

/** Gives the frames as they come, and asks for each round at the moment it is due. */
const collect = (rounds: Rounds, sent: readonly Sent[]): { readonly round: Round; readonly atUs: number }[] => {
  const ended: { readonly round: Round; readonly atUs: number }[] = []
  const note = (round: Round | undefined, atUs: number) => {
    if (round) ended.push({ round, atUs })
  }
  const runUntil = (untilUs: number) => {
    for (let dueUs = rounds.nextDueUs(); dueUs !== undefined && dueUs <= untilUs; dueUs = rounds.nextDueUs())
      note(rounds.due(dueUs), dueUs)
  }
  for (const { frame, cameUs } of sent.toSorted((one, other) => one.cameUs - other.cameUs)) {
    runUntil(cameUs)
    note(rounds.add(frame, cameUs), cameUs)
  }
  runUntil(Number.POSITIVE_INFINITY)
  return ended
}

test('a round ends with the last live stream that gives a frame, and is of its newest exposure', () => {
  const rounds = roundsOf('left', 'right')

  assert.equal(rounds.add(frame('left', 1_010), 1_030 * MS), undefined)
  const round = rounds.add(frame('right', 1_004), 1_035 * MS)

  assert.deepEqual(shown(round), [
    ['right', 1_004],
    ['left', 1_010],
  ])
  assert.equal(round?.capturedUs, 1_010 * MS)
  assert.equal(rounds.nextDueUs(), undefined)
})

test('one camera alone makes a round of each frame, without waiting', () => {
  const rounds = roundsOf('only')

  const ended = [1_000, 1_033, 1_066].map((ms) => shown(rounds.add(frame('only', ms), (ms + 20) * MS)))

  assert.deepEqual(ended, [[['only', 1_000]], [['only', 1_033]], [['only', 1_066]]])
})

test('a second frame of a stream ends the round, and begins the next', () => {
  const rounds = roundsOf('left', 'right')
  rounds.add(frame('left', 1_000), 1_010 * MS)

  const round = rounds.add(frame('left', 1_016), 1_026 * MS)

  assert.deepEqual(shown(round), [['left', 1_000]])
  assert.deepEqual(shown(rounds.add(frame('right', 1_012), 1_030 * MS)), [
    ['right', 1_012],
    ['left', 1_016],
  ])
})

test('a round waits for the longest that is set, until the frame time of its first stream is known', () => {
  const rounds = roundsOf('left', 'right')

  rounds.add(frame('left', 1_000), 1_020 * MS)

  assert.equal(rounds.nextDueUs(), 1_060 * MS)
  assert.equal(rounds.due(1_059 * MS), undefined)
  assert.deepEqual(shown(rounds.due(1_060 * MS)), [['left', 1_000]])
})

test('a round waits for a frame time of the stream that began it', () => {
  const rounds = roundsOf('left', 'right')
  const pairs = [0, 1, 2].flatMap((n) => [frame('left', 1_000 + 20 * n), frame('right', 1_001 + 20 * n)])
  for (const each of pairs) rounds.add(each, each.capturedUs + 10 * MS)

  rounds.add(frame('left', 1_060), 1_070 * MS)

  assert.equal(rounds.nextDueUs(), 1_090 * MS)
})

test('a slow camera is not waited for when its next frame cannot have come yet', () => {
  const rounds = roundsOf('fast', 'slow')
  for (const ms of [1_000, 1_100]) rounds.add(frame('slow', ms), (ms + 10) * MS)
  for (const ms of [1_102, 1_118]) rounds.add(frame('fast', ms), (ms + 10) * MS)

  const round = rounds.add(frame('fast', 1_134), 1_144 * MS)

  assert.deepEqual(shown(round), [['fast', 1_134]])
})

test('a stream that is missing from three rounds is not waited for until it comes again', () => {
  const rounds = roundsOf('left', 'silent')
  const times = [1_000, 1_030, 1_060, 1_090]
  for (const ms of times) {
    rounds.add(frame('left', ms), ms * MS)
    rounds.due((ms + 29) * MS)
  }

  assert.deepEqual(shown(rounds.add(frame('left', 1_120), 1_120 * MS)), [['left', 1_120]])
  rounds.add(frame('silent', 1_140), 1_141 * MS)
  assert.equal(shown(rounds.add(frame('left', 1_150), 1_151 * MS))?.length, 2)
})

test('a round is complete when the stream that it waits for is no longer live', () => {
  const rounds = roundsOf('left', 'right')
  rounds.add(frame('left', 1_000), 1_010 * MS)

  rounds.setStreams(['left'])

  assert.ok((rounds.nextDueUs() ?? Number.POSITIVE_INFINITY) <= 1_010 * MS)
  assert.deepEqual(shown(rounds.due(1_010 * MS)), [['left', 1_000]])
})

test('frames that are old, ahead, repeated or too late for their order are refused and counted', () => {
  const rounds = roundsOf('left', 'right')
  const refused = () => Object.values(rounds.refused)

  rounds.add(frame('left', 1_000), 1_501 * MS)
  assert.deepEqual(refused(), [1, 0, 0, 0])
  rounds.add(frame('left', 1_551), 1_500 * MS)
  assert.deepEqual(refused(), [1, 1, 0, 0])
  rounds.add(frame('left', 1_500), 1_510 * MS)
  rounds.add(frame('left', 1_500), 1_511 * MS)
  rounds.add(frame('left', 1_490), 1_512 * MS)
  assert.deepEqual(refused(), [1, 1, 2, 0])
  assert.deepEqual(shown(rounds.due(1_560 * MS)), [['left', 1_500]])
  rounds.add(frame('right', 1_499), 1_570 * MS)
  assert.equal(rounds.due(1_620 * MS), undefined)
  assert.deepEqual(refused(), [1, 1, 2, 1])
})

test('a frame that was given cannot be given again because its stream was gone in between', () => {
  const rounds = roundsOf('only')
  rounds.add(frame('only', 1_000), 1_010 * MS)
  rounds.setStreams([])
  rounds.setStreams(['only'])

  assert.equal(rounds.add(frame('only', 1_000), 1_020 * MS), undefined)
  assert.equal(rounds.refused.repeated, 1)
})

interface AnyCamera {
  readonly frameMs: number
  readonly phaseMs: number
  readonly latencyMs: number
  /** Beyond that, of each frame. */
  readonly delaysMs: readonly number[]
  readonly diesAfter: number | null
  /** Each frame is given again, 3 ms later. */
  readonly isTwice: boolean
}

/** Free-running cameras, one of which may die; each frame is on its way for its stream's time and up to 80 ms more. */
const anyCamera: fc.Arbitrary<AnyCamera> = fc.record({
  frameMs: fc.constantFrom(8, 11, 16.7, 20, 33.3, 50, 100),
  phaseMs: fc.double({ min: 0, max: 100, noNaN: true }),
  latencyMs: fc.double({ min: 5, max: 60, noNaN: true }),
  delaysMs: fc.array(fc.double({ min: 0, max: 80, noNaN: true }), { minLength: 40, maxLength: 40 }),
  diesAfter: fc.option(fc.nat(40)),
  isTwice: fc.boolean(),
})

const anyCameras = fc.array(anyCamera, { minLength: 1, maxLength: 6 })

test('shuffled, delayed and dying: each frame counts once, in order, and none waits longer than it may', () => {
  let shuffled = 0
  const check = (cameras: readonly AnyCamera[]) => {
    const ids = cameras.map((_, n) => `camera-${n}`)
    const sent = cameras.flatMap(({ frameMs, phaseMs, latencyMs, delaysMs, diesAfter, isTwice }, n) =>
      delaysMs.slice(0, diesAfter ?? delaysMs.length).flatMap((delayMs, k): Sent[] => {
        const one = frame(`camera-${n}`, 10_000 + phaseMs + k * frameMs)
        const cameUs = one.capturedUs + (latencyMs + delayMs) * MS
        const again = { frame: one, cameUs: cameUs + 3 * MS }
        return isTwice ? [{ frame: one, cameUs }, again] : [{ frame: one, cameUs }]
      }),
    )
    const rounds = roundsOf(...ids)
    const cameUs = new Map<RoundFrame, number>()
    for (const each of sent.toReversed()) cameUs.set(each.frame, each.cameUs)

    const ended = collect(rounds, sent)

    const used = ended.flatMap(({ round }) => round.frames)
    const { old, ahead, repeated, late } = rounds.refused
    assert.equal(new Set(used).size, used.length)
    assert.equal(used.length + old + ahead + repeated + late, sent.length)
    assert.equal(old + ahead, 0)
    let beforeUs = Number.NEGATIVE_INFINITY
    for (const { round, atUs } of ended) {
      assert.ok(round.capturedUs > beforeUs)
      beforeUs = round.capturedUs
      assert.equal(round.capturedUs, round.frames.at(-1)?.capturedUs)
      assert.equal(new Set(round.frames.map(({ streamId }) => streamId)).size, round.frames.length)
      assert.ok(round.frames.every((each, n) => n === 0 || each.capturedUs >= (round.frames[n - 1]?.capturedUs ?? 0)))
      for (const each of round.frames) assert.ok(atUs - (cameUs.get(each) ?? 0) <= WAIT_US + 1e-6)
    }
    for (const id of ids) {
      const times = used.filter(({ streamId }) => streamId === id).map(({ capturedUs }) => capturedUs)
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      )
    }
    if (repeated > 0 || late > 0) shuffled += 1
  }

  fc.assert(fc.property(anyCameras, check), { numRuns: 300 })
  assert.ok(shuffled > 100, `only ${shuffled} of 300 had frames out of order`)
})

/** Cameras without faults, whose frames are on their way for 20, 30, 40 and 50 ms and up to 4 more. */
const simulated = (rates: readonly number[]) => {
  const seconds = 60
  let state = 7
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const sent = rates.flatMap((fps, n) => {
    const phaseMs = random() * (1_000 / fps)
    return Array.from({ length: seconds * fps }, (_, k): Sent => {
      const one = frame(`camera-${n}`, 10_000 + phaseMs + (k * 1_000) / fps)
      return { frame: one, cameUs: one.capturedUs + (20 + 10 * n + 4 * random()) * MS }
    })
  })
  const rounds = roundsOf(...rates.map((_, n) => `camera-${n}`))
  const ended = collect(rounds, sent)
  const ages = ended.map(({ round, atUs }) => (atUs - round.capturedUs) / MS).sort((one, other) => one - other)
  const part = (share: number) => ages[Math.floor(ages.length * share)] ?? Number.NaN
  const used = ended.reduce((sum, { round }) => sum + round.frames.length, 0)
  return { perSecond: ended.length / seconds, cameras: used / ended.length, p50: part(0.5), p95: part(0.95), rounds }
}

test('four cameras of 30 fps make 30 rounds a second, at most 39 ms old in the median and 49 at worst', () => {
  const { perSecond, cameras, p50, p95, rounds } = simulated([30, 30, 30, 30])

  assert.ok(Math.abs(perSecond - 30) < 0.5, `${perSecond} rounds a second`)
  assert.ok(cameras > 3.95, `${cameras} cameras`)
  assert.ok(p50 <= 39 && p95 <= 49, `${p50} and ${p95} ms`)
  assert.equal(rounds.refused.late, 0)
})

test('two cameras of 60 fps and two of 30 make 60 rounds a second, of three cameras', () => {
  const { perSecond, cameras, p50, rounds } = simulated([60, 60, 30, 30])

  assert.ok(Math.abs(perSecond - 60) < 1, `${perSecond} rounds a second`)
  assert.ok(Math.abs(cameras - 3) < 0.1, `${cameras} cameras`)
  assert.ok(p50 <= 39, `${p50} ms`)
  assert.ok(rounds.refused.late <= 10, `${rounds.refused.late} too late`)
})
