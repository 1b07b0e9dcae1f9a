// Solving for a lens as a client asks for it: of media, of corners, of a capture; what is refused, and what goes wrong.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { mediaExample } from '../../../machines/media/item.ts'
import { FakeCalibration, fakeBoard } from '../../../native/calibration/fake.ts'
import { CALIBRATION } from '../../../native/calibration/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { listeningApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'
import { simulatedBoard } from '../../support/calibration/simulated-set.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import { addMedia } from '../../support/media/stored-media.ts'
import { until } from '../../support/until.ts'

const SOLVE = '/v1/calibration/solve'

/** A service with a stream, a picture among the media, and a program that sees a board wherever it looks. */
const service = async (t: Lifetime) => {
  const calibration = new FakeCalibration()
  const api = await listeningApi(t, {}, { ports: [value(CALIBRATION, calibration)] })
  await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  await addMedia(api.fake)
  return { ...api, calibration, ask: askerOf(api), jobs: api.fake.resolve(JOBS) }
}

/** The same corners as a client sends them. */
const uploaded = (pictures: number) => {
  const { columns, rows, pictures: found } = simulatedBoard({ pictures }, 7)
  return {
    board: { columns, rows },
    pictures: found.map((picture, at) => ({ name: `picture ${at + 1}`, ...picture, markers: undefined })),
    square_width_mm: 25.4,
  }
}

test('corners are solved: the lens, its verdict, what each picture adds; the job has it too', async (t) => {
  const { ask, calibration } = await service(t)

  const { status, body } = await ask('POST', SOLVE, { ...uploaded(12), stream_id: 'front' })

  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.state, 'done')
  const { calibration: made } = body
  assert.deepEqual(
    [made.verdict, made.stream_id, made.origin, made.width_px, made.pictures.length, made.map.error_px.length],
    ['good', 'front', 'solved', 1280, 12, 96],
  )
  assert.deepEqual(made.board, {
    kind: 'charuco',
    family: null,
    columns: 8,
    rows: 8,
    square_width_mm: 25.4,
    square_height_mm: 25.4,
    layout: null,
  })
  assert.ok(made.pictures.every((each: { adds: number }) => each.adds === 0.05))
  assert.match(made.name, /^front, \d{4}-\d\d-\d\d$/)
  const job = await ask('GET', `/v1/jobs/${body.job_id}`)
  assert.deepEqual(job.body.result, { calibration: made })
  assert.deepEqual([job.body.kind, job.body.resource_ref], ['calibration_solve', { stream_id: 'front' }])
  assert.equal(calibration.running, 0)
})

test('corners that were found elsewhere are solved as they are, and pictures can be left out', async (t) => {
  const { ask, calibration } = await service(t)

  const all = await ask('POST', SOLVE, { ...uploaded(6), square_height_mm: 25 })
  const some = await ask('POST', SOLVE, { ...uploaded(6), leave_out: [2] })

  assert.equal(all.status, 200, JSON.stringify(all.body))
  const [task = '', fewer = ''] = calibration.tasks
  assert.match(task, /^1280 800 0\.1016 0\.1 0 1 6\n/)
  assert.match(fewer, /^1280 800 0\.1016 0\.1016 0 1 5\n/)
  assert.equal(some.body.calibration.pictures[2].is_used, false)
  assert.equal(some.body.calibration.pictures[2].detail, 'it was to be left out')
})

test('pictures among the media are looked at, and those of one stream are of that stream', async (t) => {
  const { ask, calibration } = await service(t)
  calibration.board = fakeBoard(12)

  const { status, body } = await ask('POST', SOLVE, { media_ids: [mediaExample.name], square_width_mm: 24 })

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.calibration.pictures.map((each: { media_id: string }) => each.media_id),
    [mediaExample.name],
  )
})

test('what is not there is not found, and what cannot be solved is said', async (t) => {
  const { ask } = await service(t)
  const refused = async (sent: object) => {
    const { status, body } = await ask('POST', SOLVE, { square_width_mm: 24, ...sent })
    return `${status} ${body.code}: ${body.errors?.[0]?.pointer ?? body.detail}`
  }
  const six = uploaded(6)
  const [first, ...others] = six.pictures
  assert.ok(first && 'corners' in first)
  const withCorner = (corner: readonly number[]) => ({
    ...six,
    pictures: [{ ...first, corners: [...first.corners, corner] }, ...others],
  })

  assert.match(await refused({ capture_id: 'lost' }), /^404 calibration\.capture_not_found/)
  assert.match(await refused({ media_ids: ['none.jpg'] }), /^404 media\.not_found/)
  assert.match(await refused({ ...six, stream_id: 'nobody' }), /^404 stream\.not_found/)
  assert.match(await refused({}), /^400 body\.invalid: $/)
  assert.match(await refused({ capture_id: 'kept', media_ids: ['a.jpg'] }), /^400 body\.invalid: $/)
  assert.match(await refused({ pictures: six.pictures }), /^400 body\.invalid: \/board$/)
  assert.match(await refused({ media_ids: ['a.jpg', 'a.jpg'] }), /^400 body\.invalid: \/media_ids\/1$/)
  assert.match(await refused(withCorner([8, 1, 0, 0])), /^400 body\.invalid: \/pictures\/0\/corners\/\d+$/)
  assert.match(await refused(withCorner([...(first.corners[0] ?? [])])), /^400 body\.invalid: \/pictures\/0\/corners/)
  assert.match(await refused(uploaded(3)), /^400 calibration\.not_solvable: the board is to be seen in 3 of 3 pictures/)
  assert.match(
    await refused({ ...six, pictures: [{ ...first, width_px: 640 }, ...others] }),
    /^400 calibration\.not_solvable: the pictures have different sizes \(640x800, 1280x800\)/,
  )
})

test('a child that dies or takes too long is answered as that, and the next one is solved', async (t) => {
  const { ask, calibration } = await service(t)
  const answered = async () => {
    const { status, body } = await ask('POST', SOLVE, uploaded(12))
    return `${status} ${body.code ?? body.state}`
  }

  calibration.fault = { code: 'calibration.child_died', detail: 'it was killed' }
  assert.equal(await answered(), '502 calibration.child_died')
  calibration.fault = { code: 'calibration.too_slow', detail: 'it took too long' }
  assert.equal(await answered(), '504 calibration.too_slow')
  calibration.fault = undefined
  calibration.solution = { ok: false, detail: 'the task makes no sense' }
  assert.equal(await answered(), '400 calibration.not_solvable')
  calibration.solution = undefined
  assert.equal(await answered(), '200 done')
})

test('who does not wait gets the job; cancelling it ends the child', async (t) => {
  const { ask, calibration, jobs } = await service(t)
  calibration.isEndless = true

  const { status, body } = await ask('POST', SOLVE, { ...uploaded(12), wait: false })

  assert.equal(status, 200)
  assert.equal(body.calibration, null)
  await until('the child', () => calibration.running === 1)
  await until('progress', () => jobs.get(body.job_id)?.progress.stage === 'solve')
  assert.equal(jobs.get(body.job_id)?.progress.message, 'the lens is computed')
  await ask('DELETE', `/v1/jobs/${body.job_id}`)
  await until('the end', () => jobs.get(body.job_id)?.state === 'cancelled')
  assert.equal(calibration.running, 0)
})

test('one that waits is told when its job is cancelled by somebody else', async (t) => {
  const { ask, calibration, jobs } = await service(t)
  calibration.isEndless = true

  const waiting = ask('POST', SOLVE, uploaded(12))
  await until('the child', () => calibration.running === 1)
  await ask('DELETE', `/v1/jobs/${jobs.all().at(-1)?.id}`)

  const { status, body } = await waiting
  assert.deepEqual([status, body.state, body.calibration], [200, 'cancelled', null])
})

test('a client that goes away leaves the job, and nothing that waits', async (t) => {
  const { ask, port, calibration, jobs } = await service(t)
  calibration.isEndless = true
  const body = JSON.stringify(uploaded(12))
  const sent = request({
    port,
    host: '127.0.0.1',
    path: SOLVE,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })
  sent.on('error', () => {})
  sent.end(body)
  await until('the child', () => calibration.running === 1)

  sent.destroy()

  const id = jobs.all().at(-1)?.id ?? ''
  assert.equal(jobs.get(id)?.state, 'running')
  calibration.isEndless = false
  const { status } = await ask('DELETE', `/v1/jobs/${id}`)
  assert.equal(status, 204)
  await until('the end', () => jobs.get(id)?.state === 'cancelled')
})
