// Guided captures as a page meets them: begun, told of what they see without being asked, found again after a restart.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { CALIBRATION_CAPTURES } from '../../../actors/calibration/tokens.ts'
import type { CaptureNews } from '../../../machines/calibration/capture/capture.ts'
import { CaptureStatus } from '../../../machines/calibration/capture/capture.ts'
import { captureIdOf } from '../../../machines/calibration/capture/collection.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { FakeCalibration, fakeLook, fakeSolution } from '../../../native/calibration/fake.ts'
import { CALIBRATION } from '../../../native/calibration/port.ts'
import { CLOCK } from '../../../native/clock/port.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { movieFragment, movieHead } from '../../../native/engine/fake/movie.ts'
import { MEDIA_STORE } from '../../../native/media/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { jpegFile } from '../../support/media/media-files.ts'
import { good } from '../../support/media/media-store.ts'
import { until } from '../../support/until.ts'

const FRONT = captureIdOf('front')
const ONE = `/v1/calibration/captures/${FRONT}`

/** A service whose stream `front` gives pictures, with what is seen in them. */
const site = async (t: TestContext, documents = new FakeDocuments()) => {
  const calibration = new FakeCalibration()
  const { app, fake } = await fakeApi(
    t,
    {},
    {
      engines: fakeEngines({ nowUs: systemClock.monotonicUs }),
      documents,
      ports: [value(CLOCK, systemClock), value(CALIBRATION, calibration)],
    },
  )
  if (!fake.streams.get('front')) await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  await fake.state('front', 'live')
  const seen: CaptureNews[] = []
  fake.directory.events.subscribe(({ kind, data }) => {
    if (kind === 'calibration_capture_seen') seen.push(data as CaptureNews)
  })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, ...(payload && { payload }) })
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type']),
      body: answer.body,
      json: answer.body ? answer.json() : undefined,
    }
  }
  const begin = () => ask('POST', '/v1/calibration/captures', { stream_id: 'front', square_width_mm: 24 })
  const status = async (): Promise<CaptureStatus> => (await ask('GET', ONE)).json.status
  return { fake, calibration, documents, seen, ask, begin, status }
}

/** The board is held still at a place until a picture is taken there, and nowhere after so many. */
const heldUntil = (last: number) => (pictures: number) => (pictures < last ? fakeLook(100 * pictures) : fakeLook())

/** The board is held still at one place after the other, each for two pictures. */
const heldAt = (places: number) =>
  Array.from({ length: places }, (_, at) => [fakeLook(100 * at), fakeLook(100 * at)]).flat()

test('a capture takes what is of use by itself, tells of it, and ends when the lens is known', async (t) => {
  const { calibration, fake, seen, begin, status, ask } = await site(t)
  const begun = await begin()
  assert.equal(begun.status, 201, begun.body)
  assert.equal(begun.json.id, FRONT)
  await until('that it looks', status, ({ state }) => state === 'looking')
  calibration.see = heldUntil(10)
  const end = await until('the end', status, ({ state }) => state === 'enough')

  assert.deepEqual(schemaErrors(CaptureStatus, end), [])
  assert.equal(end.pictures_count, 10)
  assert.equal(end.known_share, 1)
  assert.equal(end.proposal, null)
  assert.equal(end.board?.columns, 11)
  assert.equal(end.pictures[0]?.hull.length, 4)
  assert.equal(end.coverage.corners.reduce((sum, each) => sum + each) > 0, true)
  const states = seen.map(({ state }) => state)
  for (const state of ['looking', 'proposing', 'accepted', 'enough'] as const) assert.ok(states.includes(state), state)
  const media = (await ask('GET', '/v1/media')).json.items
  assert.equal(media.filter(({ stream_id }: { stream_id: string }) => stream_id === 'front').length, 10)
  const pictures = await Effect.runPromise(fake.resolve(CALIBRATION_CAPTURES).picturesOf(FRONT))
  assert.equal(pictures.board.pictures.length, 10)
  assert.equal(pictures.names[0]?.media_id, end.pictures[0]?.media_id)
  await until('that nothing looks any more', () => calibration.guides === 0)
})

test('a capture follows its own solve: what is good ends it, what is not asks for more pictures', async (t) => {
  const { calibration, begin, status, ask } = await site(t)
  const capture = async (last: number) => {
    calibration.see = heldUntil(last)
    await until('enough pictures', status, ({ state, pictures_count }) => state === 'enough' && pictures_count === last)
  }
  const solve = async () => {
    const answer = await ask('POST', '/v1/calibration/solve', { capture_id: FRONT, square_width_mm: 24 })
    assert.equal(answer.status, 200, answer.body)
    return answer.json.job_id
  }
  await begin()
  await capture(10)

  calibration.solution = { ...fakeSolution(10), mean_px: 9 }
  const lacking = await solve()
  const more = await until('that it goes on', status, ({ state, job_id }) => state === 'idle' || job_id === lacking)
  assert.equal(more.job_id, lacking)
  await capture(15)
  calibration.solution = undefined
  const good = await solve()
  const done = await until('the end', status, ({ state }) => state === 'done')
  assert.equal(done.job_id, good)

  assert.equal((await ask('DELETE', ONE)).status, 204)
  calibration.see = undefined
  await begin()
  const again = await until('a look', status, ({ state }) => state !== 'idle')
  assert.deepEqual([again.state, again.job_id, again.pictures_count], ['looking', null, 0], 'that job was of another')
})

test('stored pictures and recordings are looked at as they are, and what was taken is all there is', async (t) => {
  const { fake, calibration, status, ask } = await site(t)
  const store = fake.resolve(MEDIA_STORE)
  const jpeg = jpegFile(64, 48)
  const picture = { kind: 'picture', origin: 'upload', media_type: 'image/jpeg', name: 'board' } as const
  const names = [
    good(await store.put(picture, { bytes: jpeg })).name,
    good(await store.put(picture, { bytes: jpeg })).name,
  ]
  const draft = good(
    await store.begin({ kind: 'recording', origin: 'recording', media_type: 'video/mp4', name: 'drive' }),
  )
  const pictures = Array.from({ length: 12 }, (_, at) => movieFragment(at + 1, at * 100_000, jpeg))
  await writeFile(draft.path, Buffer.concat([movieHead(64, 48), ...pictures]))
  const recording = good(await draft.complete({})).name
  calibration.looks = [fakeLook(1), fakeLook(200), ...heldAt(7).slice(8), fakeLook(700)]

  const order = { stream_id: 'front', square_width_mm: 24, media_ids: [names[0], 'gone.jpg', names[1], recording] }
  assert.equal((await ask('POST', '/v1/calibration/captures', order)).status, 201)
  const end = await until('the end', status, ({ state }) => state === 'enough')

  // the two pictures; of the recording each second one of its pictures: three places, each held for two of them
  assert.deepEqual(
    end.pictures.map(({ media_id }) => media_id),
    [...names, recording, recording, recording],
  )
  assert.ok(end.pictures.every(({ captured_at_ms }) => captured_at_ms > 0))
  assert.match(end.detail, /5 pictures were taken/)
})

test('why a picture is not taken is told, with what to do', async (t) => {
  const { calibration, seen, begin } = await site(t)
  calibration.looks = Array.from({ length: 40 }, (_, at) => fakeLook(3 * at))

  await begin()
  const refused = await until('a refusal', () => seen.find(({ state }) => state === 'refused'))

  assert.equal(refused?.refusal?.code, 'moved')
  assert.match(refused?.detail ?? '', /hold it still/)
  assert.equal(refused?.proposal?.nearer, 'left')
})

test('there is one capture of each stream, and it is gone when it is deleted', async (t) => {
  const { calibration, begin, ask } = await site(t)

  await begin()
  assertProblem(await begin(), 'document.exists')
  const none = await ask('POST', '/v1/calibration/captures', { stream_id: 'rear', square_width_mm: 24 })
  assertProblem(none, 'stream.not_found')
  await until('what looks', () => calibration.guides === 1)
  assert.equal((await ask('DELETE', ONE)).status, 204)

  await until('that nothing looks', () => calibration.guides === 0)
  assertProblem(await ask('GET', ONE), 'calibration.capture_not_found')
  assert.equal((await begin()).status, 201)
})

test('a capture goes on after a restart with the pictures that it had', async (t) => {
  const first = await site(t)
  first.calibration.see = heldUntil(3)
  await first.begin()
  await until('three pictures', first.status, ({ pictures_count }) => pictures_count === 3)

  const again = await site(t, first.documents)
  again.calibration.see = heldUntil(10)
  await until('what was taken', () => again.calibration.taken >= 3)
  const end = await until('the end', again.status, ({ state }) => state === 'enough')

  assert.equal(end.pictures_count, 10)
})

test('what looks is started again when it ends, and it is said why nothing is seen', async (t) => {
  const { fake, calibration, begin, status } = await site(t)
  calibration.looks = [fakeLook(1)]
  await begin()
  await until('a look', status, ({ state }) => state !== 'idle')

  calibration.fault = { code: 'calibration.child_died', detail: 'what looks for the board has ended' }
  const broken = await until('the trouble', status, ({ state }) => state === 'idle')
  assert.match(broken.detail, /has ended/)
  calibration.fault = undefined
  await until('that it looks again', status, ({ state }) => state !== 'idle')

  await fake.drop('front')
  const gone = await until('that no pictures come', status, ({ state }) => state === 'idle')
  assert.match(gone.detail, /front is gone/)
})
