// The recording of a stream, on an engine that does as it is told.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { recordingActor } from '../../../actors/recording/recording-actor.ts'
import { saveRewind } from '../../../actors/recording/save-rewind.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { recordingStatusOf } from '../../../machines/recording/status.ts'
import { FakeEngine } from '../../../native/engine/fake/fake.ts'
import type { RecordingOrder } from '../../../native/engine/port.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'
import { engineTask } from '../../support/engine/engine-task.ts'
import { Gate } from '../../support/engine/gates.ts'
import { setState, streamRuntime } from '../../support/engine/stream-runtime.ts'
import { boxesOf } from '../../support/media/boxes.ts'
import { mediaDrafts } from '../../support/media/media-drafts.ts'

const camera = { id: 'front', source: { backend: 'synthetic' } } as const
const full: Fault = { code: 'storage.full', detail: 'the storage is full' }

/** A live stream that can be recorded. */
const started = async (t: TestContext) => {
  const stream = streamRuntime(camera)
  const drafts = mediaDrafts(t)
  const recorded: Fault[] = []
  const clock = simulatedClock()
  const setClock = new Listeners<number>()
  let nowUs = 1_000_000
  const engineOfStream = async () => {
    const sinks = { results: stream.results, picture: () => {} }
    const engine = new FakeEngine('front', sinks, { nowUs: () => (nowUs += 100_000) }, 4_000_000)
    stream.engine.opened.set(await Effect.runPromise(engine.open(engineTask(camera))))
    stream.engine.current.set(engine)
    return engine
  }
  const actor = createActor(
    recordingActor({
      stream,
      media: drafts.media,
      clock: { nowMs: () => 77, onSet: (listener) => setClock.add(listener) },
      record: (fault) => recorded.push(fault),
    }),
    { clock },
  )
  t.after(() => Effect.runPromise(endEffects(actor)))
  actor.subscribe({ error: () => {} }) // the end of its effects
  actor.start()
  setState(stream, 'live')
  const engine = await engineOfStream()
  return {
    ...drafts,
    actor,
    stream,
    engine,
    engineOfStream,
    recorded,
    clock,
    setClock,
    start: (name: string | null = null, rewinds = false) =>
      askNow(actor, { type: 'recording.start', name, rewinds, endsAtOnce: false, library: null }),
    stop: () => askNow(actor, { type: 'recording.stop' }),
    state: (name: string) => untilState(actor, ({ value }) => value === name, `a recording that is ${name}`),
    status: () => recordingStatusOf(actor.getSnapshot()),
  }
}

test('a recording is a media item that the engine writes, from the order to begin to the order to stop', async (t) => {
  const { engine, start, stop, begun, status } = await started(t)

  const begin = await start('Match 12')
  for (let n = 0; n < 4; n++) engine.showFrame()
  const during = status()
  const end = await stop()

  const [first] = begun
  assert.deepEqual(begin.outcome === 'done' && begin.value, { id: 'Match 12-1.mp4' })
  assert.deepEqual([first?.wish.kind, first?.wish.stream_id, first?.wish.name], ['recording', 'front', 'Match 12'])
  assert.deepEqual([during?.state, during?.name, during?.since_ms], ['recording', 'Match 12-1.mp4', 77])
  assert.equal(end.outcome, 'done')
  assert.deepEqual(first?.facts, { width_px: 1280, height_px: 800, frames: 4, duration_ms: 300 })
  assert.equal(boxesOf(first?.draft.path ?? '').filter(({ type }) => type === 'mdat').length, 4)
  assert.equal(status(), null)
})

test('a recording that goes on while the clock is set was begun by the clock as it is now', async (t) => {
  const { actor, setClock, start, status } = await started(t)
  setClock.notify(500)
  await start()

  setClock.notify(1_000)
  const later = status()
  setClock.notify(-2_000)

  assert.deepEqual([later?.state, later?.since_ms, status()?.since_ms], ['recording', 1_077, 0])
  await Effect.runPromise(endEffects(actor))
  assert.equal(setClock.size, 0)
})

test('a recording that rewinds begins with what the engine has kept, and says so', async (t) => {
  const { engine, start, stop, begun } = await started(t)
  engine.setRewind(4096)
  for (let n = 0; n < 3; n++) engine.showFrame()

  await start(null, true)
  engine.showFrame()
  await stop()

  assert.equal(begun[0]?.wish.origin, 'rewind')
  assert.equal(begun[0]?.facts?.frames, 4)
})

test('a stream that is not live is not recorded, and no item is left of the attempt', async (t) => {
  const { start, stream, begun, status } = await started(t)
  setState(stream, 'backing-off')

  const reply = await start()

  assert.ok(reply.outcome === 'failed' && reply.fault.code === 'recording.failed')
  assert.match(reply.fault.detail, /its state is backing-off/)
  assert.deepEqual([begun.length, status()], [0, null])
})

test('what the engine refuses to record leaves no item behind', async (t) => {
  const { engine, start, begun } = await started(t)
  await Effect.runPromise(engine.startRecording({ path: '/dev/null', sidecar_path: '/dev/null', stream: 'front' }))

  const reply = await start()

  assert.equal(reply.outcome, 'failed')
  assert.deepEqual([begun.length, begun[0]?.facts, existsSync(begun[0]?.draft.path ?? '')], [1, null, false])
})

test('no room for another recording is said to whoever orders one', async (t) => {
  const { start, world } = await started(t)
  world.refusal = full

  const reply = await start()

  assert.ok(reply.outcome === 'failed' && reply.fault === full)
})

test('an engine that crashes costs the end of a file; the next engine writes another', async (t) => {
  const { engine, engineOfStream, start, stop, state, stream, begun, status } = await started(t)
  await start()
  engine.showFrame()

  engine.crash()
  setState(stream, 'restarting')
  stream.engine.current.set(undefined)
  await state('waiting')
  const broken = status()
  const next = await engineOfStream()
  setState(stream, 'live')
  next.showFrame()
  await state('recording')
  const goesOn = status()
  await stop()

  assert.equal(begun[0]?.facts?.truncated, true)
  assert.deepEqual([broken?.state, broken?.name, broken?.earlier], ['waiting', null, ['front-1.mp4']])
  assert.ok(broken?.fault)
  assert.deepEqual([goesOn?.name, goesOn?.earlier, goesOn?.fault], ['front-2.mp4', ['front-1.mp4'], null])
  assert.ok(begun[1]?.facts && !begun[1].facts.truncated)
})

test('a recording that waits tries again and again only where there are pictures', async (t) => {
  const { actor, engine, engineOfStream, start, state, stream, world, clock } = await started(t)
  const passed: unknown[] = []
  await start()
  engine.crash()
  setState(stream, 'restarting')
  stream.engine.current.set(undefined)
  await state('waiting')
  actor.subscribe({ next: ({ value }) => passed.push(value), error: () => {} })

  for (let n = 0; n < 3; n++) {
    clock.increment(60_000)
    await settle()
  }
  assert.ok(!passed.includes('continuing'), 'a camera that is away')
  world.refusal = { code: 'storage.failed', detail: 'the disk does not answer' }
  await engineOfStream()
  setState(stream, 'live')
  await untilState(actor, ({ value, context }) => value === 'waiting' && context.fault?.code === 'storage.failed')
  delete world.refusal
  clock.increment(5_000)

  await state('recording')
})

test('a disk that fills up ends the recording, which says so until somebody stops it', async (t) => {
  const { engine, start, stop, state, begun, status, recorded } = await started(t)
  await start()
  engine.showFrame()

  engine.endRecording(full)
  await state('failed')

  assert.deepEqual(begun[0]?.facts, {
    width_px: 1280,
    height_px: 800,
    frames: 1,
    duration_ms: 0,
    truncated: true,
  })
  assert.deepEqual(
    [status()?.state, status()?.fault?.code, status()?.earlier],
    ['failed', 'storage.full', ['front-1.mp4']],
  )
  assert.deepEqual(recorded, [full])
  assert.equal((await stop()).outcome, 'done')
  assert.equal(status(), null)
})

test('a recording ends while there is still room to end it', async (t) => {
  const { start, state, begun, status } = await started(t)
  await start()

  begun[0]?.room.abort(full)
  await state('failed')

  assert.equal(begun[0]?.facts?.truncated, true)
  assert.equal(status()?.fault?.code, 'storage.full')
})

test('whatever ends the actor ends the file', async (t) => {
  const { actor, engine, start, begun } = await started(t)
  await start()
  engine.showFrame()

  await Effect.runPromise(endEffects(actor))

  assert.equal(begun[0]?.facts?.frames, 1)
})

test('an actor that ends while the file is being ended waits until it is', async (t) => {
  const { actor, engine, start, stop, begun, completes } = await started(t)
  await start()
  engine.showFrame()
  completes.close()
  const stopped = stop()

  const ended = Effect.runPromise(endEffects(actor))
  completes.open()
  await ended

  assert.deepEqual([begun[0]?.facts?.frames, begun[0]?.facts?.truncated], [1, undefined])
  actor.stop()
  await stopped
})

test('an actor that ends before its draft is there leaves none behind', async (t) => {
  const { actor, start, begun, begins } = await started(t)
  begins.close()
  const starts = start()

  const ended = Effect.runPromise(endEffects(actor))
  begins.open()
  await ended

  assert.deepEqual(
    begun.map(({ facts }) => facts),
    [null],
  )
  actor.stop()
  await starts
})

test('what an engine has begun to write is kept, though nobody waits for its answer any more', async (t) => {
  const { actor, engine, start, begun } = await started(t)
  const begins = Promise.withResolvers<void>()
  const { startRecording } = engine
  Object.assign(engine, {
    startRecording: (order: RecordingOrder) =>
      Effect.andThen(
        Effect.tap(startRecording(order), () => Effect.sync(begins.resolve)),
        Effect.never,
      ),
  })
  const starts = start()
  await begins.promise
  engine.showFrame()

  await Effect.runPromise(endEffects(actor))

  assert.deepEqual([begun[0]?.facts?.frames, begun[0]?.facts?.truncated], [1, undefined])
  actor.stop()
  await starts
})

test('a file that an engine ends before its answer that it has begun is ended here too', async (t) => {
  const { engine, start, state, status, begun } = await started(t)
  const { startRecording } = engine
  Object.assign(engine, {
    startRecording: (order: RecordingOrder) =>
      Effect.tap(startRecording(order), () => Effect.sync(() => engine.endRecording(full))),
  })

  const reply = await start()
  await state('failed')

  assert.equal(reply.outcome, 'done')
  assert.deepEqual([status()?.fault?.code, begun[0]?.facts?.truncated], ['storage.full', true])
})

test('an engine that is to be ended is held until it has ended its file', async (t) => {
  const { stream, engine, start, state, begun } = await started(t)
  const ends = new Gate()
  ends.close()
  Object.assign(engine, { stopRecording: Effect.andThen(ends.passed, engine.stopRecording) })
  await start()
  engine.showFrame()

  stream.engine.current.set(undefined)
  let isHeld = true
  const released = Effect.runPromise(stream.recording.hold).then(() => {
    isHeld = false
  })
  await state('breaking-off')
  const wasHeld = isHeld
  ends.open()
  await released
  await state('waiting')

  assert.ok(wasHeld)
  assert.deepEqual([begun[0]?.facts?.frames, begun[0]?.facts?.truncated], [1, undefined])
})

test('a clip whose recording begins after nobody waits for it any more is ended all the same', async (t) => {
  const { actor, stream, engine, begun, state } = await started(t)
  const begins = new Gate()
  begins.close()
  const { startRecording } = engine
  Object.assign(engine, {
    startRecording: (order: RecordingOrder) => Effect.andThen(begins.passed, startRecording(order)),
  })
  const keeping = { id: stream.id, manifest: { ...stream.manifest, rewind: { enabled: true, max_bytes: 1_048_576 } } }
  const story = Effect.gen(function* () {
    const saving = yield* Effect.forkChild(Effect.flip(saveRewind({ actor: () => actor as never }, keeping)))
    yield* Effect.promise(() => state('starting'))
    yield* TestClock.adjust('90 seconds')
    return yield* Fiber.join(saving)
  })

  const fault = await Effect.runPromise(story.pipe(Effect.provide(TestClock.layer())))
  begins.open()
  await state('stopping')
  await state('idle')

  assert.equal(fault.code, 'actor.timeout')
  assert.equal(begun[0]?.wish.origin, 'rewind')
  assert.ok(begun[0]?.facts)
})
