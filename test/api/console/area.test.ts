// The console over HTTP and its stream over a WebSocket, on terminals without a device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeConsole, type FakeTerminal } from '../../../native/console/fake.ts'
import { CONSOLE_PORT } from '../../../native/console/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, listeningApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'
import { attach } from '../../support/console/client.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import { until } from '../../support/until.ts'

const SESSIONS = '/v1/console/sessions'

const consoleApi = async (t: Lifetime, changes: ApiChanges = {}, options = {}) => {
  const port = new FakeConsole()
  const api = await listeningApi(t, changes, { ports: [value(CONSOLE_PORT, port)], options })
  return { ...api, port, ask: askerOf(api) }
}

const nth = (port: FakeConsole, n: number): FakeTerminal => {
  const terminal = port.terminals[n]
  assert.ok(terminal)
  return terminal
}

test('a session is started, listed, attached to, typed into and ended', async (t) => {
  const { ask, url, port, fake } = await consoleApi(t)

  const { status, body: made } = await ask('POST', SESSIONS, { program: 'top', columns: 100, rows: 30 })
  assert.deepEqual([status, made.state, made.program, made.columns, made.rows], [200, 'detached', 'top', 100, 30])
  const client = await attach(url, made.session_id)
  client.type('hello')
  await client.sees('hello')
  const { body: listed } = await ask('GET', SESSIONS)
  assert.deepEqual(
    listed.items.map(({ state, attached_from }: { state: string; attached_from: string }) => [state, attached_from]),
    [['open', '127.0.0.1']],
  )

  assert.equal((await ask('DELETE', `${SESSIONS}/${made.session_id}`)).status, 204)
  assert.equal((await client.hears('exit')).reason, 'deleted')
  assert.equal(await client.closed, 1000)
  assert.ok(nth(port, 0).isEnded)
  assert.deepEqual((await ask('GET', SESSIONS)).body.items, [])
  assert.equal((await ask('DELETE', `${SESSIONS}/${made.session_id}`)).status, 404)
  const audit = fake.lines.filter(([, , { part }]) => part === 'console').map(([, message]) => message)
  assert.deepEqual(
    audit.map((line) => line.replace(made.session_id, 'ID')),
    [
      'console session ID (top) was asked for by 127.0.0.1',
      'console session ID (top) has 127.0.0.1 attached',
      'console session ID (top) has ended: somebody ended it (127.0.0.1)',
    ],
  )
  assert.ok(!fake.lines.some(([, message]) => message.includes('hello')), 'what is typed is in no log')
})

test('whoever comes back sees what was shown, and another client takes the place of the first', async (t) => {
  const { ask, url, port } = await consoleApi(t)
  const { body: made } = await ask('POST', SESSIONS, {})
  const first = await attach(url, made.session_id)
  first.type('one ')
  await first.sees('one ')
  await first.leave()
  await until('nobody', async () => (await ask('GET', SESSIONS)).body.items[0].state === 'detached')
  nth(port, 0).listener.output(Buffer.from('meanwhile '))

  const second = await attach(url, made.session_id)
  await second.sees('one meanwhile ')
  const third = await attach(url, made.session_id)

  assert.equal((await second.hears('taken_over')).by, '127.0.0.1')
  await second.closed
  third.type('three')
  await third.sees('one meanwhile three')
  assert.equal((await ask('GET', SESSIONS)).body.items[0].state, 'open', 'the first one to leave took nobody along')
})

test('sizes and signals reach the program; what is no order is answered, and nothing breaks', async (t) => {
  const { ask, url, port } = await consoleApi(t)
  const { body: made } = await ask('POST', SESSIONS, {})
  const client = await attach(url, made.session_id)

  const wrong = ['ls', '[]', { kind: 'resize', columns: -1, rows: 1e9 }, { kind: 'signal', signal: 'SIGNONSENSE' }]
  for (const order of wrong) client.order(order)
  client.order({ kind: 'resize', columns: 132, rows: 43 })
  client.order({ kind: 'signal', signal: 'SIGINT' })

  await until('the signal', () => nth(port, 0).signals.length > 0)
  assert.deepEqual(nth(port, 0).signals, ['SIGINT'])
  assert.deepEqual(nth(port, 0).size, { columns: 132, rows: 43 })
  await until('the refusals', () => client.words.filter(({ kind }) => kind === 'refused').length === wrong.length)
  assert.equal((await ask('GET', SESSIONS)).body.items[0].columns, 132)
})

test('a fifth session is refused until one has ended', async (t) => {
  const { ask, port } = await consoleApi(t)
  const made = await Promise.all(Array.from({ length: 4 }, () => ask('POST', SESSIONS, {})))
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200, 200],
  )

  const refused = await ask('POST', SESSIONS, {})
  assert.deepEqual([refused.status, refused.body.code], [409, 'console.too_many'])
  nth(port, 1).exit({ exitCode: 0, signal: null })

  await until('a place', async () => (await ask('GET', SESSIONS)).body.items.length === 3)
  assert.equal((await ask('POST', SESSIONS, {})).status, 200)
})

test('a program that cannot be started says why, and one that is ended while it starts has never been', async (t) => {
  const { ask, port } = await consoleApi(t)
  port.fault = { code: 'console.failed', detail: 'No terminal can be had: all are taken.' }
  const failed = await ask('POST', SESSIONS, {})
  assert.deepEqual([failed.status, failed.body.code], [500, 'console.failed'])
  assert.match(failed.body.detail, /all are taken/)

  port.fault = undefined
  port.isSlow = true
  const starting = ask('POST', SESSIONS, {})
  const { session_id } = await until('the session', async () => (await ask('GET', SESSIONS)).body.items[0])
  await until('its start', () => port.terminals.length > 0)
  const ended = await ask('DELETE', `${SESSIONS}/${session_id}`)

  assert.equal(ended.status, 204)
  assert.equal((await starting).status, 500)
  assert.ok(nth(port, 0).isEnded)
})

test('the device says whether there is a console, and how it is turned on', async (t) => {
  const on = await consoleApi(t)
  const { body } = await on.ask('GET', '/v1/device/console')
  assert.deepEqual([body.available, body.enabled, body.programs], [true, true, ['shell', 'top']])
  assert.match(body.detail, /as the user vedette, without sudo/)

  const off = await consoleApi(t, { profile: 'field' })
  const { body: told } = await off.ask('GET', '/v1/device/console')
  assert.deepEqual([told.available, told.enabled], [false, false])
  assert.match(told.detail, /--console on/)
  const refused = await off.ask('POST', SESSIONS, {})
  assert.deepEqual([refused.status, refused.body.code], [403, 'console.off'])

  on.port.means = { ...on.port.means, absent: 'the device has no shell' }
  assert.equal((await on.ask('GET', SESSIONS)).status, 500)
  assert.match((await on.ask('GET', '/v1/device/console')).body.detail, /the device has no shell/)
})

test('where it is on in a network it takes the token, on the stream as well, and no page from elsewhere', async (t) => {
  const verifyToken = (token: string) => token === 'right'
  const { app, ask, url, port } = await consoleApi(t, { profile: 'field', verifyToken }, { console: true })
  assert.deepEqual((await ask('POST', SESSIONS, {})).body.code, 'token.required')
  const right = { authorization: 'Bearer right' }
  const headers = { host: 'localhost', ...right }
  const made = (await app.inject({ method: 'POST', url: SESSIONS, headers, payload: {} })).json()
  assert.equal(made.state, 'detached')

  await assert.rejects(attach(url, made.session_id), /401/)
  await assert.rejects(attach(url, made.session_id, { ...right, origin: 'https://elsewhere.example' }), /403/)
  await assert.rejects(attach(url, 'none-1', right), /404/)
  const client = await attach(url, made.session_id, right)

  client.type('x')
  await client.sees('x')
  assert.equal(nth(port, 0).typed.length, 1)
})

test('a client that takes nothing makes the program wait, and the program goes on when it is gone', async (t) => {
  const { ask, url, port } = await consoleApi(t)
  const { body: made } = await ask('POST', SESSIONS, {})
  const client = await attach(url, made.session_id)
  const terminal = nth(port, 0)
  client.socket.pause()

  let written = 0
  while (!terminal.isPaused && written < 64 * 1024 * 1024) {
    terminal.listener.output(Buffer.alloc(64 * 1024, '.'))
    written += 64 * 1024
  }
  assert.ok(terminal.isPaused, 'it writes for ever')
  client.socket.terminate()

  await until('the program', () => !terminal.isPaused)
})

test('a client that draws slowly is shown no more than its window', async (t) => {
  const { ask, url, port } = await consoleApi(t)
  const { body: made } = await ask('POST', SESSIONS, {})
  const client = await attach(url, `${made.session_id}`, {}, '?window_bytes=65536')
  const terminal = nth(port, 0)

  terminal.listener.output(Buffer.alloc(65_536, '.'))
  assert.equal(terminal.isPaused, false)
  terminal.listener.output(Buffer.from('!'))
  assert.equal(terminal.isPaused, true)
  await client.sees('!')
  client.order({ kind: 'drawn', bytes: 10_000 })
  client.order({ kind: 'drawn', bytes: 30_000 })

  await until('the program', () => !terminal.isPaused)
})
