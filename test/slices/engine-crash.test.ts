// Native code crashes: one stream stands still for a moment, and nobody else notices.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../../machines/schema/one-line.ts'
import { pictures, viewer } from '../support/api/preview.ts'
import { type Daemon, isRunning, type StreamMetrics, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const IDS = ['one', 'two', 'three', 'four'] as const
const OTHERS = ['two', 'three'] as const
const PICTURES = 20 // more than a second of their cameras
// Of the share that they keep without a crash. Another engine's start takes a third of a second of computing, which a
// busy machine takes from all; to stand still until it has started would leave them less than half.
const MIN_KEPT = 0.7

const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

test('an engine that crashes comes back by itself, and one that keeps crashing fails for a while', async (t) => {
  const daemon = await site(t).start()
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const
  for (const [seed, id] of IDS.entries()) await daemon.addStream({ id, pose, source: { ...source, seed } })

  await t.test(
    'the stream is live again, its viewer stays, the others lose no more than they did before',
    async (step) => {
      const preview = await viewer(step, `${daemon.url}/v1/streams/one/preview`)
      await until('a picture', () => pictures(preview.shown).length)
      const start = await progressOf(daemon)
      const atKill = await after(PICTURES, start, daemon)

      const { engine_pid: killed } = await daemon.metrics('one')
      const killedMs = performance.now()
      process.kill(killed as number, 'SIGSEGV')
      await until(
        'the crash',
        () => daemon.metrics('one'),
        ({ restarts }) => restarts === 1,
      )
      await daemon.stream('one', 'live')
      step.diagnostic(`crash to live ${(performance.now() - killedMs).toFixed(0)} ms`)
      const seen = pictures(preview.shown).length
      await until(
        'pictures again',
        () => pictures(preview.shown).length,
        (count) => count > seen + 2,
      )
      const end = await after(PICTURES, atKill, daemon)

      assert.ok(preview.isOpen())
      assert.equal((await daemon.metrics('one')).viewers, 1)
      const { count, detail } = await daemon.error('engine.crashed', 'streams/one')
      assert.equal(count, 1)
      assert.match(detail, /SIGSEGV/)
      for (const [n, id] of OTHERS.entries()) {
        const [without, during] = [shareOf(start, atKill, n), shareOf(atKill, end, n)]
        step.diagnostic(
          oneLine`
            ${id}: ${(100 * without).toFixed(0)} % of its frames before, ${(100 * during).toFixed(0)} % around the crash
          `,
        )
        assert.equal(end[n]?.enginePid, start[n]?.enginePid)
        assert.ok(during >= MIN_KEPT * without)
      }
      assert.equal(await healthOf(daemon), 'ok')
    },
  )

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
  /** Pictures that its camera has taken, whether somebody had time for them or not. */
  readonly taken: number
  /** That came out. */
  readonly frames: number
  readonly enginePid: number | null
}

/** Both numbers from one answer: between two the camera goes on. */
const progressOf = (daemon: Daemon): Promise<Progress[]> =>
  Promise.all(
    OTHERS.map(async (id) => {
      const { frames, skipped, engine_pid } = await daemon.metrics(id)
      return { taken: frames + skipped, frames, enginePid: engine_pid }
    }),
  )

/** The progress once each of them is so many pictures further. */
const after = (count: number, from: readonly Progress[], daemon: Daemon): Promise<Progress[]> =>
  until(
    `${count} pictures of the others`,
    () => progressOf(daemon),
    (now) => now.every((each, n) => each.taken - (from[n]?.taken ?? 0) >= count),
  )

/** How many of its frames a stream has kept between two moments, as a share. */
const shareOf = (from: readonly Progress[], to: readonly Progress[], n: number): number => {
  const [a, b] = [from[n] as Progress, to[n] as Progress]
  return (b.frames - a.frames) / (b.taken - a.taken)
}

const healthOf = async (daemon: Daemon): Promise<string> => (await daemon.get<{ status: string }>('/v1/health')).status
