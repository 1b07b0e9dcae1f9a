// The routes of plugins over HTTP, and what plugins may ask of the API themselves, on programs of this process.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PLUGIN_RUNS } from '../../../actors/plugins/tokens.ts'
import type { AskInside } from '../../../machines/http/inside.ts'
import { INSIDE } from '../../../machines/http/inside.ts'
import { Latest } from '../../../machines/latest.ts'
import { ENABLED_PLUGINS } from '../../../machines/plugins/enabled.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { DEFAULT_LIMITS } from '../../../machines/plugins/manifest.ts'
import { PLUGIN_PANELS } from '../../../machines/plugins/panel/plugin-panels.ts'
import type { FromPlugin, ToPlugin } from '../../../machines/plugins/process/messages.ts'
import { FakePluginPrograms } from '../../../native/plugins/process/fake.ts'
import { PLUGIN_PROGRAMS } from '../../../native/plugins/process/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi, listeningApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

type Granted = InstalledPlugin['granted']
type Ask = Pick<Extract<FromPlugin, { readonly type: 'ask' }>, 'method' | 'path' | 'body'>

/** A service in which one plugin runs. */
const withPlugin = async (
  t: TestContext,
  granted: Granted = [],
  provides: InstalledPlugin['manifest']['provides'] = { routes: true },
) => {
  const programs = new FakePluginPrograms()
  const inside = new Latest<AskInside | undefined>()
  const ports = [value(PLUGIN_PROGRAMS, programs)]
  const { url: origin, fake } = await listeningApi(t, { inside, profile: 'field' }, { ports })
  const plugin: InstalledPlugin = {
    manifest: {
      name: 'notes',
      version: '1.0.0',
      minimum_api: 1,
      title: 'Notes',
      description: '',
      permissions: [...granted],
      limits: DEFAULT_LIMITS,
      program: { runtime: 'node', path: 'main.mjs' },
      provides,
    },
    folder: '/nowhere',
    data_folder: '/nowhere/data',
    granted,
  }
  fake.resolve(INSIDE).set(inside.value)
  const enabled = fake.resolve(ENABLED_PLUGINS)
  await until('the keeper, which has no plugins', () => enabled.value !== undefined)
  enabled.set([plugin])
  const runs = fake.resolve(PLUGIN_RUNS)
  await until('the plugin', () => runs.run('notes')?.state === 'running')
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: Uint8Array<ArrayBuffer> | object) => {
    const isBytes = payload instanceof Uint8Array
    const answer = await fetch(origin + url, {
      method,
      ...(payload && {
        body: isBytes ? payload : JSON.stringify(payload),
        headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' },
      }),
    })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
  }
  const running = () => programs.started.at(-1) as FakePluginPrograms['started'][number]
  const say = (message: FromPlugin, bytes?: Uint8Array) => running().listener.message(message, bytes)
  const told = <Type extends ToPlugin['type']>(type: Type) =>
    running().told.flatMap(({ message }) =>
      message.type === type ? [message as Extract<ToPlugin, { type: Type }>] : [],
    )
  let last = 0
  const ask = async (asked: Ask) => {
    last += 1
    const number = last
    say({ type: 'ask', ask: number, ...asked })
    const answer = await until('an answer', () => told('answer').find((each) => each.ask === number))
    assert.ok(answer)
    return answer
  }
  return { programs, fake, runs, send, say, told, ask, running }
}

test('a request is handed to the program with its path, query and body, and its answer is passed on', async (t) => {
  const { send } = await withPlugin(t)

  const got = await send('GET', '/v1/plugins/notes/api/a%20b/c?x=1&y')
  const posted = await send('POST', '/v1/plugins/notes/api/', { far: true })

  assert.equal(got.status, 200)
  assert.deepEqual(JSON.parse(got.body), { method: 'GET', path: '/a%20b/c', query: 'x=1&y', bytes: 0 })
  assert.deepEqual(JSON.parse(posted.body), { method: 'POST', path: '/', query: '', bytes: 12 })
  assert.equal(got.headers['content-security-policy'], "sandbox; default-src 'none'")
  assert.equal(got.headers['set-cookie'], undefined)
})

test('a body of more than a mebibyte is refused before the program hears of it', async (t) => {
  const { send, told } = await withPlugin(t)

  const { status } = await send('POST', '/v1/plugins/notes/api/x', new Uint8Array(1024 * 1024 + 1))

  assert.equal(status, 413)
  assert.equal(told('request').length, 0)
})

test('what a program answers beyond sense is 502, and told on its status', async (t) => {
  const { programs, send, runs } = await withPlugin(t)
  programs.answer = ({ listener }, message) => {
    if (message.type === 'request')
      listener.message(
        { type: 'reply', request: message.request, status: 200, media_type: 'text/evil' },
        Buffer.from('x'),
      )
  }

  const { status, body } = await send('GET', '/v1/plugins/notes/api/x')

  assert.equal(status, 502)
  assert.equal(JSON.parse(body).code, 'plugin.bad_answer')
  assert.deepEqual(runs.run('notes')?.refused, 1)
})

test('while the program is down, its routes say when to try again, and a plugin without routes says so', async (t) => {
  const { running, send, runs } = await withPlugin(t)
  running().listener.gone({ code: 'plugin.failed', detail: 'It stopped (exit code 1).' })
  await until('the crash', () => runs.run('notes')?.state === 'waiting')
  const without = await withPlugin(t, [], {})

  const down = await send('GET', '/v1/plugins/notes/api/x')
  const none = await without.send('GET', '/v1/plugins/notes/api/x')

  assert.deepEqual([down.status, down.headers['retry-after']], [503, '1'])
  assert.deepEqual([none.status, JSON.parse(none.body).code], [404, 'plugin.no_route'])
})

test('what has no room with a program that reads late is refused, and the program goes on', async (t) => {
  const { running, send, ask, fake, told, runs } = await withPlugin(t, ['read'])
  running().isBehind = true

  const long = await send('POST', '/v1/plugins/notes/api/x', new Uint8Array(100_000))
  const short = await send('GET', '/v1/plugins/notes/api/x')
  const panel = fake.resolve(PLUGIN_PANELS).send('notes', 'x'.repeat(10_000))
  const { ok, body } = await ask({ method: 'GET', path: '/v1/pipelines/registry' })

  assert.deepEqual([long.status, long.headers['retry-after']], [503, '1'])
  assert.equal(JSON.parse(long.body).code, 'plugin.not_running')
  assert.equal(short.status, 200)
  assert.equal(panel?.code, 'plugin.not_running')
  assert.deepEqual([ok, (body as { code: string }).code], [false, 'service.busy'])
  assert.equal(told('request').length, 1)
  assert.equal(runs.run('notes')?.state, 'running')
})

test('a plugin asks the API for what it was granted, in whatever profile, and for nothing else', async (t) => {
  const [reader, operator, nobody] = [
    await withPlugin(t, ['read']),
    await withPlugin(t, ['operate']),
    await withPlugin(t),
  ]
  const streams: Ask = { method: 'GET', path: '/v1/streams' }
  const job: Ask = { method: 'DELETE', path: '/v1/jobs/abc-1' }
  const name: Ask = { method: 'POST', path: '/v1/device/hostname', body: { hostname: 'mine' } }

  const codes = async ({ ask }: typeof reader) => {
    const answers = [await ask(streams), await ask(job), await ask(name)]
    return answers.map(({ ok, body }) => (ok ? 'ok' : (body as { code: string }).code))
  }

  const no = 'plugin.not_granted'
  assert.deepEqual(await codes(reader), ['ok', no, no])
  assert.deepEqual(await codes(operator), [no, 'job.not_found', no])
  assert.deepEqual(await codes(nobody), [no, no, no])
})

test('a plugin is not answered by what never ends', async (t) => {
  const { ask } = await withPlugin(t, ['read'])

  const { ok, body } = await ask({ method: 'GET', path: '/v1/streams/front/preview' })

  assert.equal(ok, false)
  assert.match((body as { code: string }).code, /plugin\.not_granted|route\.not_found|stream\.not_found/)
})

test('a word that was not given out makes nobody a plugin', async (t) => {
  const { fake } = await withPlugin(t, ['read'])
  const { app } = await fakeApi(t, { profile: 'locked' })

  const { statusCode } = await app.inject({
    url: '/v1/streams',
    headers: { host: 'localhost', 'x-vedette-inside': 'anything' },
  })

  assert.equal(statusCode, 401)
  assert.ok(fake)
})

test('topics are published below the prefix of the plugin, as long as it may and no more than it may', async (t) => {
  const { say, runs } = await withPlugin(t)

  say({ type: 'publish', topic: 'x', nt_type: 'int', value: 1 })

  assert.match(runs.run('notes')?.refusal ?? '', /takes the permission topics, which it was not granted/)
})

test('events are those of the manifest, and panels hear what the program says', async (t) => {
  const { say, fake, runs } = await withPlugin(t, [], { events: ['seen'] })
  const events: unknown[] = []
  const heard: unknown[] = []
  fake.directory.events.subscribe(({ kind, data }) => {
    if (kind === 'plugin_event') events.push(data)
  })
  fake.resolve(PLUGIN_PANELS).listen('notes', (message) => heard.push(message))

  say({ type: 'event', kind: 'seen', data: { n: 1 } })
  say({ type: 'event', kind: 'other', data: null })
  say({ type: 'panel', message: { text: 'hello' } })
  say({ type: 'panel', message: 'x'.repeat(70_000) })

  assert.deepEqual(events, [{ kind: 'seen', data: { n: 1 } }])
  assert.deepEqual(heard, [{ text: 'hello' }])
  assert.equal(runs.run('notes')?.refused, 2)
})

test('a plugin that is not enabled any more is ended, and its routes are gone', async (t) => {
  const { fake, running, send } = await withPlugin(t)

  fake.resolve(ENABLED_PLUGINS).set([])
  await until('its end', () => running().hasEnded)

  assert.equal((await send('GET', '/v1/plugins/notes/api/x')).status, 404)
})
