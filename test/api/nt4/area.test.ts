// The link to the robot over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../../actors/directory.ts'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import { FakeNt4Port } from '../../../native/nt4/fake.ts'
import { NT4, type Nt4Port } from '../../../native/nt4/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const headers = { host: 'localhost' }

test('what is left out of a change stays as it is', async (t) => {
  const { app } = await fakeApi(t)
  const post = (payload: object, more = {}) =>
    app.inject({ method: 'POST', url: '/v1/device/nt4', headers: { ...headers, ...more }, payload })
  const settings = async () => (await app.inject({ url: '/v1/device/nt4', headers })).json()

  const first = await post({ target: 'team:1234' }, { 'if-match': '"0"' })
  const second = await post({ emulate_extcam_api: false }, { 'if-match': '"1"' })
  const stale = await post({ target: 'off' }, { 'if-match': '"1"' })

  assert.deepEqual([first.headers.etag, second.headers.etag], ['"1"', '"2"'])
  assert.deepEqual(stale.json().context, { revision: 2 })
  const { revision, spec } = await settings()
  assert.deepEqual(
    { revision, ...spec },
    {
      revision: 2,
      target: 'team:1234',
      team: 1234,
      client_name: 'vedette',
      emulate_extcam_api: false,
      publish_period_ms: 20,
      json: 'subscribed',
      publish_own_table: true,
    },
  )
})

test('a number that is set while a target is being stored leaves that target', async (t) => {
  const { app, fake } = await fakeApi(t)
  const disk = Promise.withResolvers<void>()
  fake.documents.disk = Effect.promise(() => disk.promise)
  const writer = fake.resolve(DIRECTORY).actor('settings')
  const post = async (url: string, payload: object, waiting: number) => {
    const answer = app.inject({ method: 'POST', url, headers, payload }).then(({ statusCode }) => statusCode)
    await until(`${waiting} writes`, () => writer?.getSnapshot().context.waiting.length === waiting)
    return { answer }
  }

  const target = await post('/v1/device/nt4', { target: '10.0.0.2' }, 1)
  const team = await post('/v1/device/team', { team: 1234 }, 2)
  disk.resolve()

  assert.deepEqual([await target.answer, await team.answer], [204, 204])
  const { spec } = (await app.inject({ url: '/v1/device/nt4', headers })).json()
  assert.deepEqual([spec.target, spec.team], ['10.0.0.2', 1234])
})

test('what a target means stands in the status', async (t) => {
  const { app } = await fakeApi(t)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/v1/device/nt4', headers, payload })
  const mode = async () => (await app.inject({ url: '/v1/device/nt4', headers })).json().status.mode
  const targets = {
    off: 'off',
    serve: 'serve',
    'team:12': 'team',
    'robot.local': 'host',
    '10.0.0.2,robot.local': 'hosts',
  }

  for (const [target, meant] of Object.entries(targets)) {
    assert.equal((await post({ target })).statusCode, 204)
    assert.equal(await mode(), meant)
  }
})

test('a change that expects settings which nobody has changed yet is stale', async (t) => {
  const { app } = await fakeApi(t)

  const response = await app.inject({
    method: 'POST',
    url: '/v1/device/nt4',
    headers: { ...headers, 'if-match': '"3"' },
    payload: { target: 'off' },
  })

  assert.equal(response.json().code, 'revision.stale')
  assert.deepEqual(response.json().context, { revision: 0 })
})

test('a target that cannot be read, a bad name, and nothing at all are refused with the place', async (t) => {
  const { app } = await fakeApi(t)
  const pointerFor = async (payload: object) => {
    const problem = (await app.inject({ method: 'POST', url: '/v1/device/nt4', headers, payload })).json()
    assert.equal(problem.code, 'body.invalid')
    return problem.errors[0].pointer
  }

  assert.equal(await pointerFor({ target: 'team:0' }), '/target')
  assert.equal(await pointerFor({ target: 'http://robot' }), '/target')
  assert.equal(await pointerFor({ client_name: 'a b' }), '/client_name')
  assert.equal(await pointerFor({ emulate_extcam_api: 1 }), '/emulate_extcam_api')
  assert.equal(await pointerFor({ target: '10.0.0.2,team:1' }), '/target')
  for (const publish_period_ms of [19, 51, 20.5])
    assert.equal(await pointerFor({ publish_period_ms }), '/publish_period_ms')
  assert.equal(await pointerFor({ json: 'sometimes' }), '/json')
  assert.equal(await pointerFor({}), '')
})

test('the state of the link stands beside its settings', async (t) => {
  const { app, fake } = await fakeApi(t, {}, { options: { nt4: '10.12.34.2:5810' } })
  const status = async () => (await app.inject({ url: '/v1/device/nt4', headers })).json().status
  const connected = (isIt: boolean) => until('the link', status, (now) => now.connected === isIt)

  const there = { mode: 'host', address: '10.12.34.2:5810', server_address: null, fault: null }
  const working = {
    ...there,
    applied_revision: 0,
    state: 'connected',
    connected: true,
    protocol: '4.1',
    round_trip_us: 1000,
    server_offset_us: 0,
    next_try_in_ms: null,
  }
  assert.deepEqual(await connected(true), working)

  await fake.takeDown('nt4-link')
  const down = {
    mode: 'host',
    connected: false,
    address: null,
    server_address: null,
    protocol: null,
    round_trip_us: null,
    server_offset_us: null,
    next_try_in_ms: null,
  }
  assert.deepEqual(await status(), { ...down, applied_revision: null, state: 'restarting', fault: null })
})

test('settings are in force when everybody who goes by them has taken them up', async (t) => {
  for (const name of ['nt4', 'extcam', 'own-table', 'extcam-ports']) {
    const { app, fake } = await fakeApi(t)
    const revision = async () => (await app.inject({ url: '/v1/device/nt4', headers })).json().status.applied_revision
    await until('settings in force', async () => (await revision()) === 0)

    await fake.takeDown(name)

    assert.equal(await revision(), null, name)
  }
})

test('a link whose part has failed says so, and why', async (t) => {
  const nt4 = new FakeNt4Port()
  const broken: Nt4Port = {
    serve: nt4.serve,
    connect: () => {
      throw new Error('the link broke')
    },
  }
  const { app } = await fakeApi(
    t,
    {},
    {
      options: { nt4: '10.12.34.2:5810' },
      ports: [value(NT4, broken)],
      policy: { ...defaultPolicy, maxRestarts: 0 },
    },
  )
  const status = async () => (await app.inject({ url: '/v1/device/nt4', headers })).json().status

  const { fault } = await until('its failure', status, ({ state }) => state === 'failed')
  assert.equal(fault.code, 'child.failed')
  assert.match(fault.detail, /nt4-link failed .*the link broke/)
})

test('settings that are written as they are keep their revision, also those of the start', async (t) => {
  const { app, fake } = await fakeApi(t)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/v1/device/nt4', headers, payload })
  const before = fake.documents.commits.length

  const asAtStart = await post({ target: 'off', expected_revision: 0 })
  const changed = await post({ target: 'team:1234', client_name: 'vedette' })
  const again = await post({ target: 'team:1234', expected_revision: 1 })

  assert.deepEqual(
    [asAtStart, changed, again].map(({ headers }) => headers.etag),
    ['"0"', '"1"', '"1"'],
  )
  assert.deepEqual(
    fake.documents.commits.slice(before).map(({ value }) => value),
    [{ target: 'team:1234' }],
  )
})

test('the number of the team and the target by team are one, with one revision', async (t) => {
  const { app } = await fakeApi(t)
  const get = async (url: string) => (await app.inject({ url, headers })).json()
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })
  const team = async () => {
    const { revision, team, target } = await get('/v1/device/team')
    return [revision, team, target]
  }
  assert.deepEqual(await team(), [0, null, 'off'])

  const set = await post('/v1/device/team', { team: 1234, expected_revision: 0 })
  assert.deepEqual([set.statusCode, set.headers.etag], [204, '"1"'])
  assert.deepEqual(await team(), [1, 1234, 'team:1234'])
  assert.equal((await get('/v1/device/nt4')).spec.target, 'team:1234')

  await post('/v1/device/nt4', { target: 'team:99' })
  assert.deepEqual(await team(), [2, 99, 'team:99'])
  const stale = await post('/v1/device/team', { team: 7, expected_revision: 1 })
  assert.equal(stale.json().code, 'revision.stale')
  const twice = await post('/v1/device/nt4', { target: 'team:1', team: 2 })
  assert.deepEqual([twice.statusCode, twice.json().errors[0].pointer], [400, '/team'])
  for (const bad of [0, 25_600, 1.5, '1234', true]) {
    const refused = await post('/v1/device/team', { team: bad })
    assert.deepEqual([refused.statusCode, refused.json().errors[0].pointer], [400, '/team'])
  }
  assert.equal((await post('/v1/device/team', {})).statusCode, 400)
})

test('everybody hears of the turns of the link, also of one whose part is restarted', async (t) => {
  const { fake } = await fakeApi(t, {}, { options: { nt4: '10.12.34.2:5810' } })
  const told: string[] = []
  fake.directory.events.subscribe(({ kind, data }) => {
    if (kind === 'nt4_link') told.push((data as { state: string }).state)
  })
  await until('the link', () => fake.nt4.session)

  fake.nt4.session?.drop()
  await until('the loss', () => told.includes('dialling'))
  const bug = { type: 'xstate.error.actor.bug', error: new Error('the link broke') }
  fake.directory.actor('nt4-link')?.send(bug as never)
  await until('the restart', () => told.includes('restarting'))
  await until('the link', () => told.at(-1) === 'connected')

  assert.equal(told.lastIndexOf('restarting'), told.indexOf('restarting'))
})
