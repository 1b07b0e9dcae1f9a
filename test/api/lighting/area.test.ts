// The rows of the lights beyond what every row does: what they refuse and why, what they keep, what the state says.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { animationExample } from '../../../machines/lighting/animation.ts'
import { LIGHTING_DOCUMENT, lightingConfigCollection } from '../../../machines/lighting/collections.ts'
import { MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import type { LightingState } from '../../../machines/lighting/state.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { FakeLights } from '../../../native/lighting/fake.ts'
import { LIGHTS } from '../../../native/lighting/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { orderedAtOnce } from '../../support/api/busy-api.ts'
import { until } from '../../support/until.ts'

const QUIET = { starting: null, link_lost: null, target_seen: null, update_runs: null }

const begun = async (t: TestContext, lights = new FakeLights()) => {
  const { app, fake } = await fakeApi(t, {}, { ports: [value(LIGHTS, lights)] })
  const state = () => fake.directory.actor('lighting')?.getSnapshot()
  await until('a first look', () => state()?.matches('finding') === false && !state()?.matches({ lit: 'taking' }))
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, headers = {}) => {
    const {
      statusCode,
      headers: given,
      ...rest
    } = await app.inject({
      method,
      url: `/v1/device/lighting${path}`,
      headers: { host: 'localhost', ...headers },
      ...(body && { payload: body }),
    })
    return { status: statusCode, contentType: String(given['content-type']), etag: given.etag, body: rest.body }
  }
  const groups = async () => (JSON.parse((await ask('GET', '/state')).body) as LightingState).groups
  return { ask, groups, lights, fake, app }
}

test('where nothing lights, state and command say what was looked for, and the rest answers as ever', async (t) => {
  const { ask } = await begun(t, new FakeLights({ outputs: [] }))

  for (const answer of [await ask('GET', '/state'), await ask('POST', '', { command: 'on' })])
    assert.match(assertProblem(answer, 'lighting.none').detail, /^Nothing lights: .*Looked for: there are no lamps/)
  for (const path of ['/config', '/animations', '/templates']) assert.equal((await ask('GET', path)).status, 200)
})

test('what does not work is told as that, with why', async (t) => {
  const lights = new FakeLights()
  lights.fault = { code: 'device.failed', detail: 'the bus hangs' }
  const { ask } = await begun(t, lights)

  for (const answer of [await ask('GET', '/state'), await ask('POST', '', { command: 'on' })])
    assert.equal(assertProblem(answer, 'lighting.failed').detail, 'The lights do not work: the bus hangs')
})

test('the outputs are listed with whether they are used, and a lamp that is plugged in later is there', async (t) => {
  const { lights, fake, app } = await begun(t)
  const leds = async () => {
    const { body } = await app.inject({ url: '/v1/peripherals/leds', headers: { host: 'localhost' } })
    return (JSON.parse(body) as { outputs: readonly { id: string; is_used: boolean }[] }).outputs.map(
      ({ id, is_used }) => `${id} ${is_used}`,
    )
  }
  const made = ['fake:ring true', 'fake:left true', 'fake:right true', 'fake:status true']
  assert.deepEqual(await leds(), made)

  const lamp = { id: 'fake:new', kind: 'led', name: 'new', channels: 1, levels: 2, detail: null } as const
  lights.outputs = [...lights.outputs, lamp]
  fake.clock.advanceMs(2_000)

  assert.deepEqual(await leds(), [...made, 'fake:new false'])
})

test('a command that cannot be shown is refused with its place, and changes nothing', async (t) => {
  const { ask, groups } = await begun(t)
  await ask('POST', '', { command: 'colour', colour: '#00ff00', priority: 99 })

  const refused = [
    [{ command: 'on', group: 'nowhere' }, '/group'],
    [{ command: 'colour' }, '/colour'],
    [{ command: 'animation', animation: 'nothing' }, '/animation'],
    [{ command: 'animation', animation: 'breathe', parameters: { duration: 1 } }, '/parameters/duration'],
    [{ command: 'on', level: 1.5 }, '/level'],
    [{ command: 'colour', colour: 'red' }, '/colour'],
  ] as const
  for (const [body, pointer] of refused) {
    const { errors } = assertProblem(await ask('POST', '', body), 'body.invalid')
    assert.equal(errors?.[0]?.pointer, pointer)
  }

  const [ring, left] = await groups()
  assert.deepEqual(ring?.colours, Array(16).fill('#00ff00'))
  assert.deepEqual(left?.colours, ['#ffffff'], 'a white lamp is white')
})

test('a configuration is refused as a whole, with the place of what does not fit', async (t) => {
  const { ask } = await begun(t)
  const [ring] = MADE_UP_LIGHTING.groups

  const refused = [
    [{ gamma: 2, groups: [ring, ring] }, '/groups/1/name'],
    [{ gamma: 2, outputs: [] }, '/groups/0/parts/0/output'],
    [{ gamma: 2, idle: { command: 'animation', animation: 'nothing' } }, '/idle/animation'],
    [{ gamma: 2, signals: { ...QUIET, link_lost: { command: 'colour' } } }, '/signals/link_lost/colour'],
    [{ gamma: 9 }, '/gamma'],
  ] as const
  for (const [body, pointer] of refused) {
    const { errors } = assertProblem(await ask('POST', '/config', body), 'body.invalid')
    assert.ok(
      errors?.some((each) => each.pointer === pointer),
      JSON.stringify(errors),
    )
  }

  assert.deepEqual(JSON.parse((await ask('GET', '/config')).body), { revision: 0, config: MADE_UP_LIGHTING })
})

test('of two changes at once that do not go together one is refused, and the lights stay set up', async (t) => {
  const { ask, fake } = await begun(t)
  const [ring] = MADE_UP_LIGHTING.outputs
  const [group] = MADE_UP_LIGHTING.groups
  await ask('POST', '/config', { outputs: [ring], groups: [], gamma: 2 })

  const answers = await orderedAtOnce(fake, [
    () => ask('POST', '/config', { outputs: [] }),
    () => ask('POST', '/config', { groups: [group] }),
  ])

  const refused = answers.find(({ status }) => status !== 204)
  assert.ok(refused && answers.some(({ status }) => status === 204))
  assert.equal(assertProblem(refused, 'body.invalid').errors?.[0]?.pointer, '/groups/0/parts/0/output')
  const { config } = JSON.parse((await ask('GET', '/config')).body)
  assert.equal(config.gamma, 2, 'what is stored is in force')
  assert.equal(config.outputs.length, config.groups.length)
})

test('a change of what does not go with what was delivered begins with what was delivered', async (t) => {
  const { ask, fake } = await begun(t)
  const settings = fake.directory.actor('settings')
  assert.ok(settings)
  const flawed = { gamma: 2, outputs: [] } // and the groups that were delivered
  await askNow(settings, putOrder(lightingConfigCollection, LIGHTING_DOCUMENT, flawed))
  assert.deepEqual(JSON.parse((await ask('GET', '/config')).body).config, MADE_UP_LIGHTING)

  assert.equal((await ask('POST', '/config', { max_duty: 0.5 })).status, 204)

  const { config } = JSON.parse((await ask('GET', '/config')).body)
  assert.deepEqual(config, { ...MADE_UP_LIGHTING, max_duty: 0.5 })
})

test('a change is of the fields that it names, and a reset answers with what was delivered', async (t) => {
  const { ask } = await begun(t)

  assert.equal((await ask('POST', '/config', { gamma: 1.8 })).status, 204)
  const changed = await ask('POST', '/config', { signals: QUIET }, { 'if-match': '"1"' })
  const read = await ask('GET', '/config')
  const reset = await ask('POST', '/config/reset')

  assert.deepEqual([changed.status, changed.etag, read.etag], [204, '"2"', '"2"'])
  assert.deepEqual(JSON.parse(read.body).config, { ...MADE_UP_LIGHTING, gamma: 1.8, signals: QUIET })
  assert.deepEqual([reset.status, JSON.parse(reset.body).config, reset.etag], [200, MADE_UP_LIGHTING, '"3"'])
})

test('a saved animation can be shown by its name, goes on when it is deleted, and is not begun again', async (t) => {
  const { ask, groups } = await begun(t)
  const { loop: _repeat, ...animation } = animationExample
  assert.equal((await ask('POST', '/animations', animation)).status, 204)
  assert.deepEqual(JSON.parse((await ask('GET', '/animations')).body).animations, [
    { revision: 1, ...animationExample },
  ])

  assert.equal((await ask('POST', '', { command: 'animation', animation: 'heartbeat', priority: 99 })).status, 204)
  assert.equal((await ask('DELETE', '/animations/heartbeat')).status, 204)

  assert.equal((await groups())[0]?.picture?.duration_ms, animationExample.duration_ms)
  const again = await ask('POST', '', { command: 'animation', animation: 'heartbeat' })
  assert.equal(assertProblem(again, 'body.invalid').errors?.[0]?.pointer, '/animation')
  assertProblem(await ask('DELETE', '/animations/heartbeat'), 'lighting.animation_not_found')
})

test('a saved animation has a revision, on which saving and deleting it can be based', async (t) => {
  const { ask } = await begun(t)
  const save = (title: string, more: object = {}, headers = {}) =>
    ask('POST', '/animations', { ...animationExample, title, ...more }, headers)
  const saved = await save('First')

  const changed = await save('Second', { expected_revision: 1 })
  const stale = await save('Third', {}, { 'if-match': '"1"' })
  const nowhere = await save('Fourth', { name: 'nowhere', expected_revision: 1 })
  const kept = await ask('DELETE', '/animations/heartbeat', undefined, { 'if-match': '"1"' })

  assert.deepEqual([saved.status, saved.etag, changed.status, changed.etag], [204, '"1"', 204, '"2"'])
  assert.deepEqual(assertProblem(stale, 'revision.stale').context, { revision: 2 })
  assertProblem(nowhere, 'lighting.animation_not_found')
  assert.deepEqual(assertProblem(kept, 'revision.stale').context, { revision: 2 })
  const { animations } = JSON.parse((await ask('GET', '/animations')).body)
  assert.deepEqual(animations, [{ revision: 2, ...animationExample, title: 'Second' }])
  assert.equal((await ask('DELETE', '/animations/heartbeat', { expected_revision: 2 })).status, 204)
})

const IDLE_HEARTBEAT = { idle: { command: 'animation', animation: 'heartbeat' } } as const

test('an animation that the configuration shows cannot be deleted until something else is set up', async (t) => {
  const { ask } = await begun(t)
  await ask('POST', '/animations', animationExample)
  await ask('POST', '/config', IDLE_HEARTBEAT)

  const refused = await ask('DELETE', '/animations/heartbeat')

  assert.match(assertProblem(refused, 'lighting.animation_in_use').detail, /shows the animation heartbeat \(\/idle\)/)
  assert.equal(JSON.parse((await ask('GET', '/animations')).body).animations.length, 1)
  assert.equal((await ask('POST', '/config', { idle: { command: 'off' } })).status, 204)
  assert.equal((await ask('DELETE', '/animations/heartbeat')).status, 204)
})

test('of an animation that is deleted and set up at once, the later order is refused', async (t) => {
  const { ask, fake } = await begun(t)
  await ask('POST', '/animations', animationExample)

  const answers = await orderedAtOnce(fake, [
    () => ask('POST', '/config', IDLE_HEARTBEAT),
    () => ask('DELETE', '/animations/heartbeat', {}),
  ])

  const [setUp, deleted] = answers.map(({ status }) => status)
  assert.ok((setUp === 204 && deleted === 409) || (setUp === 400 && deleted === 204), `${setUp} ${deleted}`)
  assert.deepEqual(JSON.parse((await ask('GET', '/state')).body).not_shown, [])
})

test('no animation takes the name of a template whose parameters the configuration says', async (t) => {
  const { ask } = await begun(t)
  const parameters = { colour: '#ff8000' }
  await ask('POST', '/config', {
    idle: { command: 'animation', animation: 'rainbow' },
    signals: { ...QUIET, link_lost: { command: 'animation', animation: 'breathe', parameters } },
  })

  const refused = await ask('POST', '/animations', { ...animationExample, name: 'breathe' })
  const taken = await ask('POST', '/animations', { ...animationExample, name: 'rainbow' })

  assert.match(assertProblem(refused, 'lighting.animation_in_use').detail, /signals\/link_lost\/parameters/)
  assert.equal(taken.status, 204, 'it has no parameters there')
})

test('what is set up and cannot be shown stands in the state, and is no reason to refuse other changes', async (t) => {
  const { ask, fake } = await begun(t)
  const settings = fake.directory.actor('settings')
  assert.ok(settings)
  const idle = { command: 'animation', animation: 'gone' } as const
  await askNow(settings, putOrder(lightingConfigCollection, LIGHTING_DOCUMENT, { idle, signals: QUIET }))

  const other = await ask('POST', '/config', { gamma: 2 })
  const whole = await ask('POST', '/config', { idle, signals: QUIET, max_duty: 0.5 })
  const worse = await ask('POST', '/config', { signals: { ...QUIET, starting: idle } })

  assert.deepEqual([other.status, whole.status], [204, 204])
  assert.deepEqual(
    assertProblem(worse, 'body.invalid').errors?.map(({ pointer }) => pointer),
    ['/signals/starting/animation'],
  )
  const { not_shown } = JSON.parse((await ask('GET', '/state')).body) as LightingState
  const message = 'there is neither a saved animation nor a template gone'
  assert.deepEqual(not_shown, [{ pointer: '/idle/animation', message }])
})

test('keyframes that are out of order are refused', async (t) => {
  const { ask } = await begun(t)
  const [track] = animationExample.tracks
  const keyframes = [...(track?.keyframes ?? [])].reverse()

  const answer = await ask('POST', '/animations', { ...animationExample, tracks: [{ ...track, keyframes }] })

  assert.equal(assertProblem(answer, 'body.invalid').errors?.[0]?.pointer, '/tracks/0/keyframes/1/at')
})

test('whoever gives a light back leaves it to the next one', async (t) => {
  const { ask, groups } = await begun(t)
  await ask('POST', '/config', { signals: QUIET, idle: { command: 'colour', colour: '#0000ff' } })
  await ask('POST', '', { command: 'off' })
  await ask('POST', '', { command: 'on', group: 'left' })
  await until('idle', groups, ([ring]) => ring?.waiting.at(-1)?.kind === 'idle')

  await ask('POST', '', { command: 'off', group: 'ring', ttl_ms: 0 })
  assert.deepEqual(
    (await groups()).map(({ holder }) => holder?.kind),
    ['idle', 'person', 'person', 'person'],
  )
  await ask('POST', '', { command: 'off', ttl_ms: 0 })

  const holders = (await groups()).map(({ holder }) => holder?.kind)
  assert.deepEqual(holders, ['idle', 'idle', 'idle', 'idle'])
})

test('a lamp that fails is named in the state, and without the part that shows them all lights are dark', async (t) => {
  const { ask, lights, fake } = await begun(t)
  await ask('POST', '', { command: 'on', priority: 99 })
  lights.held?.news.output?.('fake:left', 'it was unplugged')
  const { outputs } = JSON.parse((await ask('GET', '/state')).body) as LightingState
  assert.equal(outputs.find(({ id }) => id === 'fake:left')?.detail, 'it was unplugged')

  await fake.takeDown('lighting')

  assert.equal(lights.held, null)
  assertProblem(await ask('GET', '/state'), 'actor.unavailable')
})
