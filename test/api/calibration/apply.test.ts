// Keeping calibrations and putting them in force as a client does: versions, revisions, what is refused and why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { type Calibration, calibrationExample } from '../../../machines/calibration/calibration.ts'
import { MAX_OF_MODE } from '../../../machines/calibration/collection.ts'
import { jobExample } from '../../../machines/jobs/job.ts'
import { FakeCalibration, fakeSolution } from '../../../native/calibration/fake.ts'
import { CALIBRATION } from '../../../native/calibration/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { simulatedBoard } from '../../support/calibration/simulated-set.ts'
import type { Lifetime } from '../../support/lifetime.ts'

type Sent = Partial<Calibration>

const service = async (t: Lifetime) => {
  const calibration = new FakeCalibration()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(CALIBRATION, calibration)] })
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, ifMatch?: string) => {
    const answered = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
      ...(payload && { payload }),
    })
    const { etag } = answered.headers
    return { status: answered.statusCode, etag, body: answered.body === '' ? undefined : JSON.parse(answered.body) }
  }
  const save = (sent: Sent = {}, more: object = {}) =>
    ask('POST', '/v1/streams/front/calibration/save', { calibration: { ...calibrationExample, ...sent }, ...more })
  const apply = (calibration_id: string, more: object = {}, ifMatch?: string) =>
    ask('POST', '/v1/streams/front/calibration/apply', { calibration_id, ...more }, ifMatch)
  const list = async () => (await ask('GET', '/v1/calibrations')).body.items
  return { ask, save, apply, list, stream, calibration, fake }
}

test('what a job has solved is kept with its name, and put in force in the same step', async (t) => {
  const { ask, list, stream } = await service(t)
  const { columns, rows, pictures } = simulatedBoard({ pictures: 12 }, 7)
  const corners = pictures.map((each, at) => ({ name: `picture ${at}`, ...each, markers: undefined }))
  const sent = { board: { columns, rows }, pictures: corners, square_width_mm: 25.4, stream_id: 'front' }
  const solved = await ask('POST', '/v1/calibration/solve', sent)
  const { job_id, calibration } = solved.body

  const kept = await ask('POST', '/v1/streams/front/calibration/save', { job_id, name: 'Before Munich', apply: true })

  assert.equal(kept.status, 200, JSON.stringify(kept.body))
  assert.deepEqual(stream.manifest.intrinsics, calibration.intrinsics)
  assert.deepEqual(kept.body.manifest.intrinsics, calibration.intrinsics)
  assert.equal(kept.etag, `"${stream.stored.revision}"`)
  const [only, ...others] = await list()
  assert.equal(others.length, 0)
  assert.equal(only.id, kept.body.calibration_id)
  assert.deepEqual(only.status.in_force_on, ['front'])
  assert.deepEqual(only.spec, { ...calibration, name: 'Before Munich' })
})

test('one of several is put in force by its id, and the previous one stays', async (t) => {
  const { save, apply, list, stream } = await service(t)
  const intrinsics = { ...calibrationExample.intrinsics, fx_px: 910 }
  const first = (await save({}, { apply: true })).body.calibration_id
  const second = (await save({ intrinsics })).body.calibration_id
  assert.equal(stream.manifest.intrinsics?.fx_px, 905.2)

  const { status, body } = await apply(second)

  assert.equal(status, 200)
  assert.equal(body.manifest.intrinsics.fx_px, 910)
  assert.equal(stream.manifest.intrinsics?.fx_px, 910)
  assert.deepEqual(
    (await list()).map(({ id, status: { in_force_on } }: never) => [id, in_force_on]),
    [
      [first, []],
      [second, ['front']],
    ],
  )
})

test('a stale revision is refused, and nothing is kept', async (t) => {
  const { ask, apply, save, list, stream } = await service(t)
  const { calibration_id } = (await save()).body
  const body = { calibration: calibrationExample, apply: true }

  const stale = await ask('POST', '/v1/streams/front/calibration/save', body, '"99"')
  const staleToo = await apply(calibration_id, {}, '"99"')
  const fresh = await apply(calibration_id, {}, `"${stream.stored.revision}"`)

  assert.deepEqual([stale.status, stale.body.code], [409, 'revision.stale'])
  assert.deepEqual([staleToo.status, staleToo.body.code], [409, 'revision.stale'])
  assert.equal(fresh.status, 200)
  assert.equal((await list()).length, 1)
})

test('another size is refused with both, a refused one always, a poor one without force', async (t) => {
  const { save, apply, list, stream } = await service(t)
  const small = { width_px: 640, height_px: 480, intrinsics: { ...calibrationExample.intrinsics, ...SMALL } }
  const other = (await save(small)).body.calibration_id
  const poor = (await save({ verdict: 'poor' })).body.calibration_id

  const ofOtherSize = await apply(other, { force: true })
  const refused = await save({ verdict: 'refused' })
  const without = await apply(poor)

  assert.deepEqual([ofOtherSize.status, ofOtherSize.body.code], [409, 'calibration.other_size'])
  assert.match(ofOtherSize.body.detail, /of 640x480, and those of front have 1280x800: .*three pictures/)
  assert.deepEqual([refused.status, refused.body.code], [409, 'calibration.refused'])
  assert.deepEqual([without.status, without.body.code], [409, 'calibration.needs_force'])
  assert.equal(stream.manifest.intrinsics, undefined)
  assert.equal((await apply(poor, { force: true })).status, 200)
  assert.equal((await list()).length, 2)
})

const SMALL = { width_px: 640, height_px: 480, fx_px: 600, fy_px: 600, cx_px: 320, cy_px: 240 }

test('what is not there is not found, and what is not done cannot be kept', async (t) => {
  const { ask, apply, fake } = await service(t)
  const save = (sent: object, id = 'front') => ask('POST', `/v1/streams/${id}/calibration/save`, sent)
  const codeOf = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`
  const jobs = fake.resolve(JOBS)
  const job = { id: 'aa-1', kind: 'format_bench', resource_ref: {}, created_at_ms: 1 }
  jobs.store.trigger.ordered({ change: { type: 'accept', job: { ...jobExample, ...job } } })

  assert.equal(codeOf(await apply('cal-aaaaaaaa')), '404 calibration.not_found')
  assert.equal(codeOf(await save({ job_id: 'zz-9' })), '404 job.not_found')
  assert.equal(codeOf(await save({ job_id: 'aa-1' })), '409 calibration.not_done')
  assert.equal(codeOf(await save({ calibration: calibrationExample }, 'nobody')), '404 stream.not_found')
  assert.equal(codeOf(await save({})), '400 body.invalid')
})

test('the newest twenty of a mode are kept, and the one in force', async (t) => {
  const { save, list } = await service(t)
  await save({ made_at_ms: 1 }, { apply: true, name: 'in force' })
  for (let n = 2; n <= MAX_OF_MODE + 4; n += 1)
    await save({ made_at_ms: n, intrinsics: { ...calibrationExample.intrinsics, fx_px: 800 + n } }, { name: `no ${n}` })

  const names = (await list()).map(({ spec }: { spec: Calibration }) => spec.name)

  assert.equal(names.length, MAX_OF_MODE)
  assert.equal(names[0], 'in force')
  assert.equal(names[1], 'no 6')
})

test('a calibration that is refused by the solver cannot be kept', async (t) => {
  const { ask, calibration } = await service(t)
  calibration.solution = { ...fakeSolution(12), condition: 1e6, mean_px: 30 }
  const { columns, rows, pictures } = simulatedBoard({ pictures: 12 }, 7)
  const corners = pictures.map((each, at) => ({ name: `picture ${at}`, ...each, markers: undefined }))
  const sent = { board: { columns, rows }, pictures: corners, square_width_mm: 25.4 }
  const { body } = await ask('POST', '/v1/calibration/solve', sent)
  assert.equal(body.calibration.verdict, 'refused')

  const { status, body: refused } = await ask('POST', '/v1/streams/front/calibration/save', { job_id: body.job_id })

  assert.deepEqual([status, refused.code], [409, 'calibration.refused'])
})
