// A pipeline that is tried on a stream from the editor.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { doesSame, type Graph, withParams } from '../../ui/rooms/pipelines/graph.ts'
import { timeOfStep, wordsOf } from '../../ui/rooms/pipelines/sample-words.ts'
import { createTrial, type Running, TRIAL_S, type TrialParts } from '../../ui/rooms/pipelines/trial.ts'

type Change = Parameters<TrialParts['change']>[0]

const graph: Graph = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}
const decimated = (decimate: number) => withParams(graph, 'tags', { decimate })
const decimateOf = ({ graph: sent }: Change) => sent?.nodes[1]?.params?.decimate

const fault = (code: string) => ({ ok: false as const, status: 409, problem: { code, detail: code } })

/** A stream that counts revisions of what it stores, and answers each change when it is let. */
const fakeStream = (slotted: Partial<Running> = {}) => {
  let running: Running = { revision: 1, pipeline: graph, slot: null, tried: null, ...slotted }
  const changes: Change[] = []
  const waiting: (() => void)[] = []
  let refusal: string | undefined
  const change = async (body: Change) => {
    changes.push(body)
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (refusal !== undefined) return fault(refusal)
    if (body.expected_revision !== undefined && body.expected_revision !== running.revision)
      return fault('revision.stale')
    if (body.trial_s !== undefined) running = { ...running, tried: body.graph ?? null }
    else
      running = { ...running, revision: running.revision + 1, tried: null, ...(body.graph && { pipeline: body.graph }) }
    return { ok: true as const, value: undefined, revision: running.revision }
  }
  const isAnswered = async () => {
    while (waiting.length === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    waiting.shift()?.()
    for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return {
    changes,
    /** Answers the oldest change. */
    isAnswered,
    /** What somebody else stores. */
    becomes: (other: Partial<Running>) => {
      running = { ...running, revision: running.revision + 1, ...other }
    },
    /** What somebody else tries; null: nothing is tried any more. */
    tries: (tried: Graph | null) => {
      running = { ...running, tried }
    },
    refuses: (code: string | undefined) => {
      refusal = code
    },
    parts: {
      read: async () => ({ ok: true as const, value: running, revision: running.revision }),
      change,
      doesSame: (a: Graph, b: Graph) => doesSame(a, b, new Map()),
      isKept: false,
    },
  }
}

test('of several changes while one is on its way the newest is sent, and no other', async () => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  await trial.start(graph)

  for (const factor of [2, 3, 4, 5]) trial.put(decimated(factor))
  await stream.isAnswered()
  await stream.isAnswered()

  assert.deepEqual(stream.changes.map(decimateOf), [2, 5])
  assert.deepEqual(
    stream.changes.map(({ expected_revision, trial_s }) => [expected_revision, trial_s]),
    [
      [1, TRIAL_S],
      [1, TRIAL_S],
    ],
    'nothing is stored',
  )
  void trial.stop(true)
})

test('a trial that is stopped while it starts does not begin', async (t) => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  t.after(() => void trial.stop(true))

  const started = trial.start(decimated(2))
  const stopped = trial.stop()
  await started

  assert.deepEqual(trial.store.getSnapshot().context.state, { is: 'off' })
  assert.deepEqual(stream.changes, [])
  await stopped
})

test('one that is started again while the end of the last one waits goes on', async (t) => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  t.after(() => void trial.stop(true))
  await trial.start(decimated(2))

  const stopped = trial.stop()
  await trial.start(decimated(3))
  await stream.isAnswered()
  await stream.isAnswered()

  const { value } = await stream.parts.read()
  assert.deepEqual(value.tried, decimated(3))
  assert.deepEqual(stream.changes.map(decimateOf), [2, 3])
  await stopped
})

test('a stream that runs it already is left alone', async () => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)

  await trial.start(graph)
  await trial.settled()
  await trial.stop()

  assert.deepEqual(stream.changes, [])
})

test('at the end the trial is ended, and what is stored is never sent', async () => {
  const stream = fakeStream({ slot: 3 })
  const trial = createTrial(stream.parts)
  await trial.start(decimated(2))
  await stream.isAnswered()

  const stopped = trial.stop()
  await stream.isAnswered()
  await stopped

  assert.deepEqual(stream.changes.slice(1), [{ trial_s: null }])
  assert.deepEqual(trial.store.getSnapshot().context.state, { is: 'off' })
})

/** A trial that is on, and whose time is that of the test. */
const triedInTime = async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  await trial.start(decimated(2))
  await stream.isAnswered()
  const passes = async () => {
    t.mock.timers.tick(30_000)
    for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const state = () => trial.store.getSnapshot().context.state
  return { stream, trial, passes, state }
}

test('a trial is renewed while the page is there, also while what is on it cannot run', async (t) => {
  const { stream, trial, passes, state } = await triedInTime(t)
  stream.refuses('body.invalid')
  trial.put(decimated(9))
  await stream.isAnswered()
  stream.refuses(undefined)

  await passes()
  await stream.isAnswered()

  assert.deepEqual(stream.changes.slice(2), [{ graph: decimated(2), trial_s: TRIAL_S, expected_revision: 1 }])
  const shown = state()
  assert.equal(shown.is === 'on' && shown.problem?.code, 'body.invalid')
  void trial.stop(true)
})

test('a page that slept says that its trial is over, and does not begin it again', async (t) => {
  const { stream, passes, state } = await triedInTime(t)
  stream.tries(null)

  await passes()
  await passes()

  const shown = state()
  assert.equal(shown.is === 'ended' && shown.problem.code, 'trial.over')
  assert.equal(stream.changes.length, 1)
})

test('who chooses a pipeline just while a trial is renewed gets it', async (t) => {
  const { stream, trial, passes } = await triedInTime(t)

  await passes()
  stream.becomes({ pipeline: decimated(8), tried: null })
  await stream.isAnswered()

  const { value } = await stream.parts.read()
  assert.deepEqual([stream.changes.length, value.tried], [2, null])
  void trial.stop(true)
})

test('a page whose stream tries what another one has sent leaves it to that', async (t) => {
  const { stream, trial, passes, state } = await triedInTime(t)
  stream.tries(decimated(7))

  await trial.look()
  trial.put(decimated(3))
  await passes()
  await trial.stop()

  assert.equal(state().is, 'off')
  assert.equal(stream.changes.length, 1)
})

test('what cannot run is told, and the next that can is sent', async () => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  await trial.start(graph)
  stream.refuses('body.invalid')
  trial.put(decimated(2))
  await stream.isAnswered()
  const state = trial.store.getSnapshot().context.state
  assert.equal(state.is === 'on' && state.problem?.code, 'body.invalid')

  stream.refuses(undefined)
  trial.put(decimated(3))
  await stream.isAnswered()

  assert.deepEqual(trial.store.getSnapshot().context.state, { is: 'on', problem: undefined })
  void trial.stop(true)
})

test('another change of the stream does not end a trial, another pipeline does', async () => {
  const stream = fakeStream()
  const trial = createTrial(stream.parts)
  await trial.start(decimated(2))
  await stream.isAnswered()
  stream.becomes({}) // its place on the robot
  trial.put(decimated(3))
  await stream.isAnswered()
  await stream.isAnswered()
  assert.equal(trial.store.getSnapshot().context.state.is, 'on')

  stream.becomes({ pipeline: decimated(8), tried: null })
  trial.put(decimated(4))
  await stream.isAnswered()
  await trial.settled()

  assert.equal(trial.store.getSnapshot().context.state.is, 'ended')
  await trial.stop()
  assert.equal(decimateOf(stream.changes.at(-1) ?? {}), 4, 'nothing is ended that others have begun')
})

test('what a wire carries is told in few words', () => {
  const quarter = { x_m: 0, y_m: 0, z_m: 0, qw: Math.SQRT1_2, qx: 0, qy: 0, qz: -Math.SQRT1_2 }

  assert.equal(wordsOf({ kind: 'detections', rows: [{}, {}] }), '2 tags')
  assert.equal(wordsOf({ kind: 'barcodes', rows: [] }), 'no code')
  assert.equal(wordsOf({ kind: 'field_pose', rows: [] }), 'no pose')
  const pose = { field_robot: { ...quarter, x_m: 1.234, y_m: -2 } }
  assert.equal(wordsOf({ kind: 'field_pose', rows: [pose] }), '1.23 m, −2.00 m, −90.0°')
  assert.equal(wordsOf({ kind: 'focus', rows: [{ sharpness: 12.345, best: 20 }] }), 'sharpness 12.35, best 20')
  assert.equal(wordsOf({ kind: 'values', rows: [{ values: { is_left: true } }] }), 'is left true')
  assert.deepEqual([timeOfStep(310), timeOfStep(4100)], ['310 µs', '4.1 ms'])
})
