// Tier 1: the whole service with an emulated camera, whose modes are measured by a job.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormatBench } from '../../machines/formats/bench.ts'
import type { Job } from '../../machines/jobs/job.ts'
import { daemonWithCamera } from '../support/cameras/v4l2/daemon.ts'
import { cameraModels } from '../support/cameras/v4l2/models.ts'
import { until } from '../support/until.ts'

const DURATION_MS = 1_500 // of each mode: also when the engine gets no time for a second

test('the modes of a camera are measured and ranked, broken ones last, and it is free again', async (t) => {
  const { daemon, camera_uid } = await daemonWithCamera(t, cameraModels.webCamera)
  const bench = (body: object) => daemon.send('POST', '/v1/streams/bench/formats', body)
  const unknown = { pixel_format: 'grey', width_px: 640, height_px: 480, fps: 30 }
  const modes = [
    unknown,
    { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 },
    { pixel_format: 'yuyv', width_px: 320, height_px: 240, fps: 30 },
  ]

  const started = await bench({ camera_uid, modes, duration_ms: DURATION_MS })
  const job = await until(
    'the end of the job',
    () => daemon.get<Job>(`/v1/jobs/${started.body.id}`),
    ({ state }) => state === 'done' || state === 'failed',
  )
  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  await daemon.stream('front', 'live')
  const [taken, away] = [await bench({ camera_uid }), await bench({ camera_uid: 'cam-aaaaaaaa' })]

  assert.equal(started.status, 200)
  assert.match(String(taken.body.detail), /the stream front has the camera; send "hold_stream": true/)
  assert.equal(job.state, 'done', job.fault?.detail)
  const { ranking } = job.result as FormatBench
  assert.equal(ranking.length, 3)
  const [, , last] = ranking
  assert.deepEqual([last?.pixel_format, last?.fault?.code, last?.measured_fps], ['grey', 'camera.mode', null])
  for (const mode of ranking.slice(0, 2)) {
    assert.ok((mode.measured_fps ?? 0) > 0 && (mode.bandwidth_mbit_s ?? 0) > 0)
    if (mode.pixel_format === 'mjpeg') assert.ok((mode.decode_ms ?? 0) > 0)
    assert.equal(mode.fault, null)
  }
  assert.deepEqual([taken.status, taken.body.code], [409, 'camera.in_use'])
  assert.deepEqual([away.status, away.body.code], [404, 'camera.not_found'])
})

test('a service that is killed while it measures the camera of a stream starts with that stream', async (t) => {
  const { daemon, camera_uid, startAgain } = await daemonWithCamera(t, cameraModels.webCamera)
  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  const before = await daemon.stream('front', 'live')
  const body = { camera_uid, duration_ms: 10_000, hold_stream: true }
  const started = await daemon.send('POST', '/v1/streams/bench/formats', body)
  const { status } = await daemon.stream('front', 'paused')

  await daemon.end('SIGKILL')
  const next = await startAgain()

  const { revision, spec } = await next.stream('front', 'live')
  assert.deepEqual([started.status, status.fault?.code], [200, 'camera.held'])
  assert.deepEqual([revision, spec.enabled], [before.revision, true])
  assert.equal((await next.get<Job>(`/v1/jobs/${started.body.id}`)).state, 'interrupted')
})
