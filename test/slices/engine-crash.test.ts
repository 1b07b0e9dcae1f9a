// Native code crashes: one stream stands still for a moment, and nobody else notices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Daemon, type StreamMetrics, site } from '../support/daemon.ts'
import { viewer } from '../support/preview.ts'
import { until } from '../support/until.ts'

const IDS = ['one', 'two', 'three', 'four'] as const
const OTHERS = ['two', 'three'] as const
const BACK_LIMIT_MS = 5_000
const MOST_LOST = 5 // a frame or two, and some more on a machine that is busy with other tests

const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

test('an engine that crashes comes back by itself, and one that crashes on and on is given up until it is changed', async (t) => {
  const daemon = await site(t).start()
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const
  for (const [seed, id] of IDS.entries()) await daemon.addStream({ id, pose, source: { ...source, seed } })

  await t.test('the stream is live again soon, its viewer stays, the others lose next to nothing', async (step) => {
    const preview = await viewer(step, `${daemon.url}/v1/streams/one/preview`)
    await until('a picture', () => preview.shown.length, Boolean)
    const lostBefore = await lostFrames(daemon)

    const { engine_pid: killed } = await daemon.metrics('one')
    const killedMs = performance.now()
    process.kill(killed as number, 'SIGSEGV')
    await until(
      'the crash',
      () => daemon.metrics('one'),
      ({ restarts }) => restarts === 1,
    )
    await daemon.stream('one', 'live')
    const backMs = performance.now() - killedMs
    step.diagnostic(`crash to live ${backMs.toFixed(0)} ms`)
    const seen = preview.shown.length
    await until(
      'pictures again',
      () => preview.shown.length,
      (count) => count > seen + 2,
    )

    assert.ok(backMs < BACK_LIMIT_MS)
    assert.ok(preview.isOpen())
    assert.equal((await daemon.metrics('one')).viewers, 1)
    const { count, detail } = await daemon.error('engine.crashed', 'streams/one')
    assert.equal(count, 1)
    assert.match(detail, /SIGSEGV/)
    const lost = (await lostFrames(daemon)).map((frames, n) => frames - (lostBefore[n] as number))
    step.diagnostic(`the others lost ${lost.join(' and ')} frames`)
    assert.ok(lost.every((frames) => frames <= MOST_LOST))
    assert.equal(await healthOf(daemon), 'ok')
  })

  await t.test('after the fifth crash in a row it is given up, and a change revives it', async () => {
    let kills = 0
    for (let last = 0; ; kills++) {
      const isNext = ({ state, engine_pid: pid }: StreamMetrics) => state === 'failed' || (pid !== null && pid !== last)
      const { state, engine_pid: pid } = await until('a new engine', () => daemon.metrics('four'), isNext)
      if (state === 'failed') break
      last = pid as number
      process.kill(last, 'SIGSEGV')
    }
    const { status } = await daemon.stream('four', 'failed')

    assert.equal(kills, 5)
    assert.equal(status.fault?.code, 'engine.crashed')
    assert.equal((await daemon.error('engine.crashed', 'streams/four')).count, 5)
    assert.equal(await healthOf(daemon), 'degraded')
    for (const id of OTHERS) assert.equal((await daemon.stream(id, 'live')).status.restarts, 0)

    assert.equal((await daemon.send('PUT', '/v1/streams/four/pose', { ...pose, yaw_deg: 5 })).status, 204)
    assert.equal((await daemon.stream('four', 'live')).status.applied_revision, 2)
    assert.equal(await healthOf(daemon), 'ok')
  })
})

/** Of the streams that nothing happens to: the frames that were captured and not processed, or got lost on the way here. */
const lostFrames = (daemon: Daemon): Promise<number[]> =>
  Promise.all(
    OTHERS.map(async (id) => {
      const { sample } = await daemon.get<{ sample: { seq: number } }>(`/v1/streams/${id}/pipeline/outputs/pose/sample`)
      const { frames } = await daemon.metrics(id)
      return sample.seq - frames
    }),
  )

const healthOf = async (daemon: Daemon): Promise<string> => (await daemon.get<{ status: string }>('/v1/health')).status
