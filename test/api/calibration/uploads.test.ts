// Corners that make no sense, sent to be solved by the programs: each is answered, none with what a client cannot know.
// CALIBRATION_UPLOADS says how many.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { calibrationExample } from '../../../machines/calibration/calibration.ts'
import { calibrationCollection } from '../../../machines/calibration/collection.ts'
import { documentsOf } from '../../../machines/settings/store.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../../native/calibration/linux.ts'
import { CALIBRATION } from '../../../native/calibration/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { simulatedBoard } from '../../support/calibration/simulated-set.ts'
import { mulberry32 } from '../../support/mulberry32.ts'

const COUNT = Number(process.env.CALIBRATION_UPLOADS ?? 40)
const SEED = 7_411
const skip = !existsSync(CALIBRATION_PROGRAMS.solve) && 'the programs are not built; run: sh native/setup.sh'

type Corner = [number, number, number, number]
interface Sent {
  board: Record<string, unknown>
  pictures: { name: string; width_px: number; height_px: number; corners: Corner[] }[]
  [more: string]: unknown
}

const ODD = [0, -1, 1e-9, 1e9, 0.5, 99_999, -99_999, 1e300, null, 'x', '', [], {}, true, 8, 4]

/** What chance does with a body that makes sense. */
const damaged = (random: () => number): unknown => {
  const one = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const number = () => Math.floor(random() * 1000)
  const { columns, rows, pictures } = simulatedBoard({ pictures: 4 + (number() % 3) }, number())
  const sent: Sent = {
    board: { columns, rows },
    pictures: pictures.map((picture, at) => {
      assert.ok('corners' in picture)
      const { width_px, height_px, corners } = picture
      return { name: `picture ${at}`, width_px, height_px, corners: corners.map((each): Corner => [...each]) }
    }),
    square_width_mm: 25.4,
  }
  const all = (change: (corner: Corner, at: number) => Corner) => {
    for (const picture of sent.pictures) picture.corners = picture.corners.map(change)
  }
  const harms: readonly (() => unknown)[] = [
    () => all(([column, row]) => [column, row, 640, 400]),
    () => all(([column, row, u]) => [column, row, u, u]),
    () => all(([column, row]) => [column, row, random() * 1280, random() * 800]),
    () => all(([column, row, u, v]) => [row, column, v, u]),
    () => all(([column, row, u, v]) => [column, row, u * 1e-6, v * 1e-6]),
    () =>
      all(([column, row, u, v], at) =>
        at % 5 === 0 ? [column, row, one([-99_999, 99_999, 0]), v] : [column, row, u, v],
      ),
    () => all(([column, row, u, v]) => [one([column, 0, 7, 8, 1.5]), row, u, v]),
    () => sent.pictures.fill(one(sent.pictures)),
    () => sent.pictures.splice(number() % 3),
    () => sent.pictures.splice(0, 0, ...Array.from({ length: 60 }, () => one(sent.pictures))),
    () => (one(sent.pictures).corners = one(sent.pictures).corners.slice(0, number() % 20)),
    () => (one(sent.pictures).width_px = one([16, 1281, 8192, 15])),
    () => Object.assign(one(sent.pictures), { [one(['width_px', 'corners', 'name', 'more'])]: one(ODD) }),
    () => Object.assign(one(one(sent.pictures).corners), { [number() % 5]: one(ODD) }),
    () => Object.assign(sent.board, { [one(['columns', 'rows', 'kind', 'family', 'more'])]: one(ODD) }),
    () => Object.assign(sent.board, { columns: one([3, 4, 8, 100]), rows: one([3, 4, 8, 100]) }),
    () =>
      Object.assign(sent, {
        [one(['square_width_mm', 'square_height_mm', 'coefficients', 'leave_out', 'stream_id', 'wait', 'derive_from'])]:
          one([...ODD, [0, 1], [0, 1, 2, 3, 4], 'front', 'cal-m4q2ptza', 1000, 0.1]),
      }),
    () => Object.assign(sent, { [one(['pictures', 'board', 'capture_id', 'media_ids', 'more'])]: one(ODD) }),
  ]
  const count = 1 + (number() % 2)
  for (let n = 0; n < count; n += 1) {
    try {
      one(harms)()
    } catch {
      // the first harm has taken away what the second is about
    }
  }
  return sent
}

const LEAST_REFUSAL = 400

test('whatever is sent to be solved is answered, and nothing is kept of it', { skip }, async (t) => {
  const { app, fake, bugs } = await fakeApi(t, {}, { ports: [value(CALIBRATION, linuxCalibration())] })
  await fake.put({ id: 'front', source: { backend: 'synthetic' }, enabled: false })
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const random = mulberry32(SEED)
  const answers = new Map<string, number>()
  const unknown: string[] = []

  for (let n = 0; n < COUNT; n += 1) {
    const payload = JSON.stringify(damaged(random))
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/v1/calibration/solve', headers, payload })
    const answer = JSON.parse(body) as { code?: string; calibration?: { verdict: string } | null }
    const said = `${statusCode} ${answer.code ?? answer.calibration?.verdict ?? 'not done'}`
    answers.set(said, (answers.get(said) ?? 0) + 1)
    if (statusCode >= LEAST_REFUSAL && !/^40[04] /.test(said)) unknown.push(`${n}: ${body.slice(0, 300)}`)
    await app.inject({ method: 'DELETE', url: `/v1/jobs/${(answer as { job_id?: string }).job_id}`, headers })
  }

  t.diagnostic(`seed ${SEED}, ${COUNT} uploads: ${[...answers].map(([said, count]) => `${said}: ${count}`).join('; ')}`)
  assert.deepEqual(unknown, [])
  assert.deepEqual(bugs, [])
  assert.deepEqual(documentsOf(fake.directory.settings, calibrationCollection), {})
})

test('calibrations that make no sense are refused, or kept whole', async (t) => {
  const { app, fake, bugs } = await fakeApi(t)
  await fake.put({ id: 'front', source: { backend: 'synthetic' }, enabled: false })
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const random = mulberry32(SEED)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const unknown: string[] = []

  for (let n = 0; n < COUNT; n += 1) {
    const calibration = structuredClone(calibrationExample) as Record<string, unknown>
    const part = pick([calibration, calibration.intrinsics, calibration.board, calibration.map] as Record<
      string,
      unknown
    >[])
    part[pick(Object.keys(part))] = pick([...ODD, Array.from({ length: 300 }, () => 1e308)])
    const payload = JSON.stringify({ calibration, apply: random() < 0.5, force: random() < 0.5 })
    const url = '/v1/streams/front/calibration/save'
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
    if (![200, 400, 409, 422].includes(statusCode)) unknown.push(`${n}: ${statusCode} ${body.slice(0, 300)}`)
  }

  assert.deepEqual(unknown, [])
  assert.deepEqual(bugs, [])
})
