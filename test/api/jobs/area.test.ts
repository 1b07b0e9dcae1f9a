// Jobs as their users meet them: started by a row of a small area, watched, cancelled, and found again after a restart.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { areaOf } from '../../../api/endpoints/area.ts'
import { command } from '../../../api/endpoints/command.ts'
import { area, type Endpoint } from '../../../api/endpoints/endpoint.ts'
import { jobAnswer, jobNeeds } from '../../../api/jobs/answer.ts'
import { SUCCESS } from '../../../api/problems/faults.ts'
import { openApi } from '../../../api/spec/openapi.ts'
import { errorsOf } from '../../../machines/errors/history.ts'
import { type Job, jobExample, newJob } from '../../../machines/jobs/job.ts'
import { MAX_WAITING } from '../../../machines/jobs/job-list.ts'
import Type from '../../../machines/schema/type.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { DOCUMENTS } from '../../../native/documents/port.ts'
import { branch } from '../../../supervisors/composition/branch.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { httpBranch } from '../../../supervisors/http/branch.ts'
import { tree } from '../../../supervisors/tree.ts'
import { assertDeclared, assertProblem } from '../../support/api/api.ts'
import { type OwnAnswer, ownApi } from '../../support/api/own-area.ts'
import { fakeService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { Works } from '../../support/works.ts'

const strict = { additionalProperties: false } as const
const Measurement = Type.Object(
  { error_px: Type.Number() },
  { ...strict, title: 'Measurement', description: 'What was measured.' },
)
const Wanted = Type.Object({ name: Type.String() }, { ...strict, title: 'Wanted', description: 'What to measure.' })
const params = { id: Type.String({ examples: ['front'] }) }

const measureArea = (works: Works) =>
  areaOf(jobNeeds, ({ jobs }) =>
    area('measure', 'Measures.', [
      command('POST', '/v1/things/:id/measure', {
        params,
        summary: 'Measure a thing',
        body: { schema: Wanted, example: { name: 'a' } },
        to: 'job-keeper',
        send: ({ params: { id }, body: { name } }) =>
          jobs.order({ kind: 'thing_measure', resource_ref: { thing_id: id }, work: works.named(name) }),
        answer: jobAnswer({
          jobs,
          status: 'created',
          kind: 'thing_measure',
          title: 'MeasureJob',
          result: Measurement,
          resource_ref: { thing_id: 'front' },
        }),
        faults: ['job.too_many'],
      }),
    ]),
  )

/** An API that measures, on documents which may be those of an earlier run of the service. */
const measuring = async (t: TestContext, documents = new FakeDocuments()) => {
  const works = new Works()
  const api = await ownApi(t, measureArea(works), { ports: [value(DOCUMENTS, documents)] })
  const { fake, send } = api
  const start = (name: string, more = {}) => send('POST', '/v1/things/front/measure', { name, ...more })
  const idOf = ({ body }: OwnAnswer): string => JSON.parse(body).id
  return {
    ...api,
    works,
    documents,
    start,
    idOf,
    row: api.rows[0] as Endpoint,
    /** Starts one, and answers with its id. */
    begun: async (name: string) => idOf(await start(name)),
    get: async (id: string): Promise<Job> => JSON.parse((await send('GET', `/v1/jobs/${id}`)).body),
    list: async (): Promise<Job[]> => JSON.parse((await send('GET', '/v1/jobs')).body).items,
    remove: (id: string) => send('DELETE', `/v1/jobs/${id}`),
    /** A job as soon as it is in a state. */
    state: (id: string, state: Job['state']): Promise<Job> =>
      until(
        `job ${id} ${state}`,
        async () => JSON.parse((await send('GET', `/v1/jobs/${id}`)).body) as Job,
        (job) => job.state === state,
      ),
    events: () => {
      const { events, identity } = fake.directory
      const missed = events.since(0, identity.epoch)
      return (missed.type === 'events' ? missed.events : [])
        .filter(({ kind }) => kind === 'job_changed')
        .map(({ data }) => data as { state: string; progress: { percent: number | null }; deleted: boolean })
    },
    saved: () => (documents.jobSaves.at(-1) ?? []).map(({ state }) => state),
    errors: () => errorsOf(fake.directory.errors).map(({ code, resource }) => [code, resource]),
  }
}

const done = (error_px: number) => Effect.succeed({ error_px })

test('a row that starts a job answers with the code that it declares, the job, and where that is found', async (t) => {
  const { start, row, works, state, get, idOf, events } = await measuring(t)

  const answered = await start('a')
  const id = idOf(answered)

  assertDeclared(row, answered)
  assert.deepEqual([answered.status, answered.location], [SUCCESS.created, `/v1/jobs/${id}`])
  const { kind, resource_ref, result } = await state(id, 'running')
  assert.deepEqual([kind, resource_ref, result], ['thing_measure', { thing_id: 'front' }, null])
  const run = await works.run('a')
  run.report({ percent: 40, stage: 'measuring', message: 'half of it' })
  assert.deepEqual((await get(id)).progress, { percent: 40, stage: 'measuring', message: 'half of it' })
  run.end(done(0.2))
  const { fault, ended_at_ms } = await state(id, 'done')
  assert.deepEqual([(await get(id)).result, fault, typeof ended_at_ms], [{ error_px: 0.2 }, null, 'number'])
  assert.deepEqual(
    events().map(({ state, progress: { percent } }) => [state, percent]),
    [
      ['queued', null],
      ['running', null],
      ['running', 40],
      ['done', 40],
    ],
  )
})

test('the documents describe the job of such a row with its result', async (t) => {
  const { areas } = await measuring(t)

  const { components } = openApi(areas, '1') as { components: { schemas: Record<string, { properties: object }> } }

  const { MeasureJob, Measurement: result } = components.schemas
  assert.match(
    JSON.stringify(MeasureJob?.properties),
    /"result":\{"anyOf":\[\{"\$ref":"#\/components\/schemas\/Measurement"/,
  )
  assert.match(JSON.stringify(MeasureJob?.properties), /"thing_measure"/)
  assert.ok(result && components.schemas.Job)
})

test('jobs run one after the other, the list has the newest first', async (t) => {
  const { begun, works, state, list } = await measuring(t)
  const ids = [await begun('a'), await begun('b')]

  const a = await works.run('a')
  assert.deepEqual(
    (await list()).map(({ id, state }) => [id, state]),
    [
      [ids[1], 'queued'],
      [ids[0], 'running'],
    ],
  )
  a.end(done(1))
  const b = await works.run('b')
  b.end(done(2))
  await state(ids[1] as string, 'done')

  assert.deepEqual(works.said, ['a holds the camera', 'a releases it', 'b holds the camera', 'b releases it'])
})

test('a job whose work fails or throws says why, once, and harms nobody', async (t) => {
  const { begun, works, state, errors, fake, start } = await measuring(t)
  const [failing, throwing, late] = [await begun('a'), await begun('b'), await begun('c')]

  const unreadable = { code: 'camera.missing', detail: 'there is no camera' } as const
  ;(await works.run('a')).end(Effect.fail(unreadable))
  ;(await works.run('b')).end(
    Effect.sync(() => {
      throw new Error('a bug')
    }),
  )
  ;(await works.run('c')).end(Effect.succeed(10n))

  assert.deepEqual((await state(failing, 'failed')).fault, unreadable)
  const { fault } = await state(throwing, 'failed')
  assert.deepEqual(fault, { code: 'actor.crashed', detail: 'Error: a bug' })
  assert.match(String((await state(late, 'failed')).fault?.detail), /BigInt/)
  assert.deepEqual([works.count('a'), works.count('b'), works.said.length], [1, 1, 6])
  for (const [code, id] of [
    ['camera.missing', failing],
    ['actor.crashed', throwing],
  ])
    assert.ok(
      errors().some((entry) => entry[0] === code && entry[1] === `jobs/${id}`),
      `${code}`,
    )
  assert.ok(
    fake.lines.some(([level, message]) => level === 'error' && /a bug\n/.test(message)),
    'a throw has a stack',
  )
  assert.equal((await start('d')).status, SUCCESS.created)
  await works.run('d')
})

test('cancelling interrupts a job, and the next one starts when it has released what it held', async (t) => {
  const { begun, works, state, get, remove, saved } = await measuring(t)
  const [first, second] = [await begun('a'), await begun('b')]
  await works.run('a')
  const release = Promise.withResolvers<void>()
  works.release = release.promise

  assert.equal((await remove(first)).status, SUCCESS.empty)
  assert.equal((await remove(first)).status, SUCCESS.empty)
  assert.deepEqual([(await get(first)).state, (await get(second)).state], ['running', 'queued'])
  release.resolve()
  const { fault, ended_at_ms } = await state(first, 'cancelled')
  await works.run('b')

  assert.deepEqual([fault, typeof ended_at_ms], [null, 'number'])
  assert.deepEqual(works.said, ['a holds the camera', 'a releases it', 'b holds the camera'])
  await until('the end on disk', saved, (states) => states.join() === 'cancelled,running')
})

test('a job that waits is cancelled unrun, and one that has ended is forgotten', async (t) => {
  const { begun, works, state, remove, send, list, saved, events } = await measuring(t)
  const [first, second] = [await begun('a'), await begun('b')]
  const run = await works.run('a')

  assert.equal((await remove(second)).status, SUCCESS.empty)
  await state(second, 'cancelled')
  run.end(done(1))
  await state(first, 'done')
  for (const id of [first, second]) assert.equal((await remove(id)).status, SUCCESS.empty)

  assert.deepEqual([await list(), works.count('b'), saved()], [[], 0, []])
  for (const method of ['GET', 'DELETE'] as const)
    assertProblem(await send(method, `/v1/jobs/${first}`), 'job.not_found')
  assert.equal(events().filter(({ deleted }) => deleted).length, 2)
})

test('a repeated request starts one job, and is answered alike', async (t) => {
  const { start, works, list, idOf } = await measuring(t)

  const [once, twice] = await Promise.all([start('a', { request_id: 'x' }), start('a', { request_id: 'x' })])
  const run = await works.run('a')
  run.end(done(1))
  const again = await start('a', { request_id: 'x' })

  assert.deepEqual([twice.body, again.body, again.location], [once.body, once.body, `/v1/jobs/${idOf(once)}`])
  assert.equal(again.isRepeat, true)
  assert.equal((await list()).length, 1)
})

test('a job that ran or waited when the service was killed is interrupted, and not done again', async (t) => {
  const before = await measuring(t)
  const finished = await before.begun('a')
  ;(await before.works.run('a')).end(done(1))
  await before.state(finished, 'done')
  const [ran, waited] = [await before.begun('b'), await before.begun('c')]
  await before.works.run('b')
  await until('the start on disk', before.saved, (states) => states.join() === 'done,running,queued')

  const after = await measuring(t, Object.assign(new FakeDocuments(), { jobSaves: [...before.documents.jobSaves] }))

  assert.deepEqual(
    (await after.list()).map(({ id, state }) => [id, state]),
    [
      [waited, 'interrupted'],
      [ran, 'interrupted'],
      [finished, 'done'],
    ],
  )
  const { fault } = await after.get(ran)
  assert.equal(fault?.code, 'job.interrupted')
  assert.match(fault?.detail ?? '', /lost its power.*start it again/)
  assert.deepEqual([after.works.count('b'), after.works.count('c')], [0, 0])
  assert.ok(after.errors().some(([code, resource]) => code === 'job.interrupted' && resource === `jobs/${ran}`))
  await until('the interruption on disk', after.saved, (states) => states.join() === 'done,interrupted,interrupted')
  assert.notEqual(await after.begun('d'), finished)
})

test('a request that was accepted and never answered is answered from its job by the next run', async (t) => {
  const before = await measuring(t)
  const id = before.idOf(await before.start('a', { request_id: 'x' }))
  const documents = Object.assign(new FakeDocuments(), { jobSaves: [...before.documents.jobSaves] })
  const kept = before.documents.requests.get('x') ?? assert.fail('it is not kept')
  documents.requests.set('x', { ...kept, answer: null }) // as a process leaves it that was killed right then

  const after = await measuring(t, documents)
  const again = await after.start('a', { request_id: 'x' })

  assert.deepEqual([again.status, again.isRepeat, again.location], [SUCCESS.created, true, `/v1/jobs/${id}`])
  assert.equal(JSON.parse(again.body).state, 'interrupted')
  assert.equal((await after.list()).length, 1)
})

for (const what of ['waits', 'runs'])
  test(`a cancelling of a job that ${what} does not delete it when it is repeated after a restart`, async (t) => {
    const before = await measuring(t)
    const [running, waiting] = [await before.begun('a'), await before.begun('b')]
    await before.works.run('a')
    const path = `/v1/jobs/${what === 'waits' ? waiting : running}`
    assert.equal((await before.send('DELETE', path, { request_id: 'x' })).status, SUCCESS.empty)
    const documents = Object.assign(new FakeDocuments(), { jobSaves: [...before.documents.jobSaves] })
    const kept = before.documents.requests.get('x') ?? assert.fail('it is not kept')
    documents.requests.set('x', { ...kept, answer: null }) // as a process leaves it that was killed right then

    const after = await measuring(t, documents)
    const again = await after.send('DELETE', path, { request_id: 'x' })

    assert.deepEqual([again.status, again.isRepeat, again.etag], [SUCCESS.empty, true, undefined])
    assert.equal((await after.list()).length, 2)
  })

test('more jobs than a person would start are refused', async (t) => {
  const { begun, start, works, row } = await measuring(t)
  await begun('a')
  await works.run('a')
  for (let n = 0; n < MAX_WAITING; n += 1) await begun(`b${n}`)

  const refused = await start('c')

  assertProblem(refused, 'job.too_many')
  assertDeclared(row, refused)
})

test('a job that cannot be kept is not started, and an end that cannot is kept later', async (t) => {
  const { start, begun, works, state, list, documents, saved, fake } = await measuring(t)
  const full = { code: 'storage.full', detail: 'no room' } as const
  documents.fault = full
  assertProblem(await start('a'), 'storage.full')
  assert.deepEqual(await list(), [])

  documents.fault = null
  const id = await begun('b')
  const run = await works.run('b')
  await until('the start on disk', saved, (states) => states.join() === 'running')
  documents.fault = full
  run.end(done(1))
  await state(id, 'done')
  const keeper = () => fake.directory.parts().find(({ name }) => name === 'job-keeper')
  await until('what is wrong', keeper, (part) => part?.fault?.code === 'storage.full')
  documents.fault = null
  await begun('c')

  await until('the end on disk', saved, (states) => states[0] === 'done')
  await until('health', keeper, (part) => part?.fault === null)
})

const BUG = { type: 'xstate.error.actor.bug', error: new Error('a bug of the service') } as never

test('when the keeper of jobs crashes, what runs goes on and its end is kept', async (t) => {
  const { begun, works, state, saved, fake, errors } = await measuring(t)
  const [first, second] = [await begun('a'), await begun('b')]
  const run = await works.run('a')

  fake.directory.actor('job-keeper')?.send(BUG)
  run.end(done(1))
  assert.deepEqual((await state(first, 'done')).result, { error_px: 1 })
  ;(await works.run('b')).end(done(2))
  await state(second, 'done')

  await until('both ends on disk', saved, (states) => states.join() === 'done,done')
  assert.deepEqual(
    errors().map(([code]) => code),
    ['actor.crashed'],
  )
  assert.deepEqual([works.count('a'), works.count('b')], [1, 1])
})

test('when the reconciler of jobs crashes, what runs goes on, and what waits gets its turn', async (t) => {
  const { begun, works, state, fake } = await measuring(t)
  const [first, second] = [await begun('a'), await begun('b')]
  const run = await works.run('a')

  fake.resolve(SUPERVISOR).actor('jobs')?.send(BUG)
  run.end(done(1))
  await state(first, 'done')
  ;(await works.run('b')).end(done(2))
  await state(second, 'done')

  assert.deepEqual([works.count('a'), works.count('b')], [1, 1])
})

test('when the run of a job itself crashes, the job has failed and is not run again', async (t) => {
  const { begun, works, state, fake } = await measuring(t)
  const [first] = [await begun('a'), await begun('b')]
  await works.run('a')

  fake.resolve(SUPERVISOR).actor(`jobs/${first}`)?.send(BUG)

  const { fault } = await state(first, 'failed')
  assert.deepEqual([fault?.code, fault?.detail], ['actor.crashed', 'Error: a bug of the service'])
  await works.run('b')
  assert.equal(works.count('a'), 1)
  assert.deepEqual(works.said.slice(0, 2), ['a holds the camera', 'a releases it'])
})

test('a job that waits for a person says so, and others are done meanwhile', async (t) => {
  const { begun, works, state, events, fake } = await measuring(t)
  const { id } = await Effect.runPromise(
    fake.resolve(JOBS).start({ kind: 'thing_confirm', resource_ref: {}, work: works.waiting('w') }),
  )

  await state(id, 'waiting-user')
  const other = await begun('b')
  ;(await works.run('b')).end(done(1))
  await state(other, 'done')
  const run = await works.run('w')
  run.confirm.resolve()
  await state(id, 'running')
  run.end(done(2))

  assert.deepEqual((await state(id, 'done')).result, { error_px: 2 })
  assert.ok(events().some((event) => event.state === 'waiting-user'))
})

test('a job that takes no turn is found again after a restart, and its work says how it ended', async (t) => {
  const documents = new FakeDocuments()
  const kept = { ...newJob({ ...jobExample, kind: 'kept_on' }), state: 'waiting-user', started_at_ms: 3 } as const
  documents.jobSaves.push([kept])
  const seen: Job[] = []
  const declaring = branch({
    needs: { jobs: JOBS },
    start: ({ jobs }) =>
      Effect.sync(() =>
        jobs.declare({
          kind: 'kept_on',
          resume: (job) => {
            seen.push(job)
            return () => Effect.succeed({ restarted: true })
          },
        }),
      ),
  })

  const fake = await fakeService(t, {
    ports: [value(DOCUMENTS, documents)],
    branches: [declaring, ...tree.filter((each) => each !== httpBranch)],
  })

  const found = await until(
    'the job',
    () => fake.resolve(JOBS).get(kept.id),
    (job) => job?.state === 'done',
  )
  assert.deepEqual([found?.result, found?.started_at_ms, seen.length], [{ restarted: true }, 3, 1])
  assert.deepEqual(errorsOf(fake.directory.errors), [])
})
