// What an IMU says beside a recording: on the time base of its file, from its first picture to its last.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { ImuRecorder } from '../../../actors/recording/imu-recorder.ts'
import { recordingActor } from '../../../actors/recording/recording-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import { FakeEngine } from '../../../native/engine/fake/fake.ts'
import { engineTask } from '../../support/engine/engine-task.ts'
import { setState, streamRuntime } from '../../support/engine/stream-runtime.ts'
import { batchOf, imuByHand, turning } from '../../support/imu/batches.ts'
import { mediaDrafts } from '../../support/media/media-drafts.ts'

const camera = { id: 'front', source: { backend: 'synthetic' } } as const

/** A live stream on a device with an IMU. Each look at the clock makes it a tenth of a second later. */
const started = async (t: TestContext) => {
  const stream = streamRuntime(camera)
  const drafts = mediaDrafts(t)
  const imu = imuByHand()
  const actor = createActor(
    recordingActor({
      stream,
      media: drafts.media,
      clock: { nowMs: () => 77, onSet: () => () => {} },
      record: () => {},
      imu: new ImuRecorder(imu),
    }),
  )
  t.after(() => Effect.runPromise(endEffects(actor)))
  actor.subscribe({ error: () => {} })
  actor.start()
  setState(stream, 'live')
  let nowUs = 1_000_000
  const sinks = { results: stream.results, picture: () => {} }
  const engine = new FakeEngine('front', sinks, { nowUs: () => (nowUs += 100_000) }, 4_000_000)
  stream.engine.opened.set(await Effect.runPromise(engine.open(engineTask(camera))))
  stream.engine.current.set(engine)
  let saidUs = 1_000_000
  return {
    ...drafts,
    stream,
    engine,
    imu,
    nowUs: () => nowUs,
    /** The IMU says all that it has felt until then. */
    feel: (untilUs: number) => {
      const count = Math.max(0, Math.floor((untilUs - saidUs) / 1000))
      imu.say(batchOf({ fromUs: saidUs, stepUs: 1000, count }, turning(30)))
      saidUs += count * 1000
    },
    start: (rewinds = false) =>
      askNow(actor, { type: 'recording.start', name: null, rewinds, endsAtOnce: false, library: null }),
    stop: () => askNow(actor, { type: 'recording.stop' }),
  }
}

const timesIn = (lines = ''): readonly number[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { pts_us: number }).pts_us)

test('a recording has beside it what the IMU felt from its first picture to its last', async (t) => {
  const { engine, imu, feel, nowUs, start, stop, begun } = await started(t)
  const before = imu.listeners()
  await start()
  for (let n = 0; n < 4; n++) {
    engine.showFrame()
    feel(nowUs() + 50_000)
  }
  await stop()

  const times = timesIn(begun[0]?.imuLines)
  assert.deepEqual([before, imu.listeners()], [0, 0])
  assert.equal(begun[0]?.facts?.duration_ms, 300)
  assert.ok(times.length >= 299 && times.length <= 301, `${times.length} measurements`)
  assert.ok((times[0] as number) >= 0 && (times[0] as number) < 1000)
  assert.ok((times.at(-1) as number) <= 300_000)
  assert.ok(times.every((us, n) => n === 0 || us - (times[n - 1] as number) === 1000))
})

test('a recording that rewinds has beside it what the IMU felt while the kept pictures were taken', async (t) => {
  const { engine, stream, imu, feel, nowUs, start, stop, begun } = await started(t)
  engine.setRewind(4096)
  stream.engine.rewound.set({ pictures: 3, span_us: 300_000, bytes: 3000 })
  for (let n = 0; n < 3; n++) engine.showFrame()
  feel(nowUs())
  await start(true)
  engine.showFrame()
  feel(nowUs())
  await stop()

  const times = timesIn(begun[0]?.imuLines)
  assert.equal(imu.listeners(), 1)
  assert.ok(times.length >= 298 && (times[0] as number) < 1000, `${times.length} measurements from ${times[0]}`)
  stream.engine.rewound.set(null)
  assert.equal(imu.listeners(), 0)
})

test('a recording that is given up leaves nobody listening', async (t) => {
  const { engine, imu, start } = await started(t)
  await Effect.runPromise(engine.startRecording({ path: '/dev/null', sidecar_path: '/dev/null', stream: 'front' }))

  const reply = await start()

  assert.equal(reply.outcome, 'failed')
  assert.equal(imu.listeners(), 0)
})
