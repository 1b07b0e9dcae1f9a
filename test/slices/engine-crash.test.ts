// Native code crashes: one stream stands still for a moment, and nobody else notices.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictures, viewer } from '../support/api/preview.ts'
import { type Daemon, isRunning, type StreamMetrics, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const IDS = ['one', 'two', 'three', 'four'] as const
const OTHERS = ['two', 'three'] as const
// Of each of the others until the one is live again; the first may have been on its way. To start an engine takes a
// third of a second of computing: a busy machine that takes its time for that has as much for theirs.
const MIN_FRAMES = 2

const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

test('an engine that crashes comes back by itself, and one that keeps crashing fails for a while', async (t) => {
  const daemon = await site(t).start()
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const
  for (const [seed, id] of IDS.entries()) await daemon.addStream({ id, pose, source: { ...source, seed } })

  await t.test('the stream is live again, its viewer stays, and the others go on meanwhile', async (step) => {
    const preview = await viewer(step, `${daemon.url}/v1/streams/one/preview`)
    await until('a picture', () => pictures(preview.shown).length)
    const { engine_pid: killed } = await daemon.metrics('one')
    const before = await until(
      'frames of the others',
      () => progressOf(daemon),
      (others) => others.every(({ frames }) => frames > 0),
    )

    const killedMs = performance.now()
    process.kill(killed as number, 'SIGSEGV')
    await until(
      'the crash',
      () => daemon.metrics('one'),
      ({ restarts }) => restarts === 1,
    )
    await daemon.stream('one', 'live')
    const after = await progressOf(daemon)
    step.diagnostic(`crash to live ${(performance.now() - killedMs).toFixed(0)} ms`)
    const seen = pictures(preview.shown).length
    await until(
      'pictures again',
      () => pictures(preview.shown).length,
      (count) => count > seen + 2,
    )

    assert.ok(preview.isOpen())
    assert.equal((await daemon.metrics('one')).viewers, 1)
    const { count, detail } = await daemon.error('engine.crashed', 'streams/one')
    assert.equal(count, 1)
    assert.match(detail, /SIGSEGV/)
    for (const [n, id] of OTHERS.entries()) {
      const [{ frames: first, enginePid }, { frames: last, enginePid: pid }] = [before[n], after[n]] as [
        Progress,
        Progress,
      ]
      assert.equal(pid, enginePid)
      step.diagnostic(`${id}: ${last - first} frames meanwhile`)
      assert.ok(last - first >= MIN_FRAMES, `${id}: ${last - first} frames`)
    }
    assert.equal(await healthOf(daemon), 'ok')
  })

  await t.test('after the fifth crash in a row it has failed, and a change tries it at once', async () => {
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
    assert.equal(status.fault?.code, 'stream.failed')
    assert.match(status.fault?.detail ?? '', /failed 5 times in a row: .*SIGSEGV.*tried again every 15 s/)
    await daemon.error('stream.failed', 'streams/four')
    assert.equal((await daemon.error('engine.crashed', 'streams/four')).count, 5)
    assert.equal(await healthOf(daemon), 'degraded')
    for (const id of OTHERS) assert.equal((await daemon.stream(id, 'live')).status.restarts, 0)

    assert.equal((await daemon.send('PUT', '/v1/streams/four/pose', { ...pose, yaw_deg: 5 })).status, 204)
    assert.equal((await daemon.stream('four', 'live')).status.applied_revision, 2)
    assert.equal(await healthOf(daemon), 'ok')
  })

  await t.test('a restart gives a stream that runs another engine, and the others keep theirs', async () => {
    const pids = () => Promise.all(IDS.map(async (id) => (await daemon.metrics(id)).engine_pid))
    const before = await pids()
    const { restarts } = (await daemon.stream('four', 'live')).status

    assert.equal((await daemon.send('POST', '/v1/streams/four/restart')).status, 204)
    await until(
      'another engine',
      () => daemon.metrics('four'),
      ({ engine_pid: pid }) => pid !== null && pid !== before[3],
    )
    const { status } = await daemon.stream('four', 'live')

    assert.deepEqual([status.restarts, status.fault], [restarts, null])
    assert.deepEqual((await pids()).slice(0, 3), before.slice(0, 3))
    assert.ok(!isRunning(before[3] as number))
  })
})

/** Of a stream that nothing happens to. */
interface Progress {
  /** Those that came out. */
  readonly frames: number
  readonly enginePid: number | null
}

const progressOf = (daemon: Daemon): Promise<Progress[]> =>
  Promise.all(
    OTHERS.map(async (id) => {
      const { frames, engine_pid } = await daemon.metrics(id)
      return { frames, enginePid: engine_pid }
    }),
  )

const healthOf = async (daemon: Daemon): Promise<string> => (await daemon.get<{ status: string }>('/v1/health')).status
