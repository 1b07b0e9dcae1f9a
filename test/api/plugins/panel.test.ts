// The files of panels: who gets them, with which policy, and what leads nowhere.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { WebSocket } from 'ws'
import { PanelTickets } from '../../../api/plugins/panel-tickets.ts'
import { ENABLED_PLUGINS } from '../../../machines/plugins/enabled.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { PLUGIN_PANELS } from '../../../machines/plugins/panel/plugin-panels.ts'
import { branch } from '../../../supervisors/composition/branch.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi, listeningApi } from '../../support/api/api.ts'
import { addPlugin } from '../../support/plugins/installed.ts'
import { packageOf } from '../../support/plugins/packages.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { arrival, until } from '../../support/until.ts'

test('a ticket is good for its plugin and its version, until it is over', () => {
  let nowUs = 5e6
  const tickets = new PanelTickets(() => nowUs)
  const ticket = tickets.make('note-finder', '1.0.0')

  assert.equal(tickets.isGood(ticket, 'note-finder', '1.0.0'), true)
  assert.equal(tickets.isGood(ticket, 'note-finder', '1.0.1'), false)
  assert.equal(tickets.isGood(ticket, 'note', '1.0.0'), false)
  assert.equal(new PanelTickets(() => nowUs).isGood(ticket, 'note-finder', '1.0.0'), false)
  const [until = '', sum = ''] = ticket.split('.')
  const later = (Number.parseInt(until, 36) + 1).toString(36)
  for (const forged of [`${later}.${sum}`, `${until}.`, sum, '.', `${until}.${'é'.repeat(22)}`])
    assert.equal(tickets.isGood(forged, 'note-finder', '1.0.0'), false, forged)
  nowUs += 24 * 3600 * 1e6
  assert.equal(tickets.isGood(ticket, 'note-finder', '1.0.0'), false)
})

const manifest = {
  name: 'note-finder',
  version: '1.0.0',
  minimum_api: 1,
  title: 'Note finder',
  description: '',
  permissions: ['read'],
  provides: { panel: { title: 'Notes', folder: 'panel' } },
} as unknown as InstalledPlugin['manifest']

/** A service in which a plugin with a panel is enabled. */
const device = async (t: TestContext, profile: 'bench' | 'locked' = 'bench') => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'panel/lib'), { recursive: true })
  writeFileSync(join(folder, 'panel/index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'panel/lib/plot.js'), 'export {}')
  writeFileSync(join(folder, 'secret.js'), 'not of the panel')
  const sent: unknown[] = []
  const panels = {
    send: (name: string, message: unknown) => {
      sent.push([name, message])
      return undefined
    },
    listen: () => () => {},
    listenToLines: () => () => {},
  }
  const { app, fake } = await fakeApi(
    t,
    { profile, verifyToken: (token) => token === 'good' },
    {
      added: [
        branch({
          offers: [value(PLUGIN_PANELS, panels)],
          needs: {},
          start: () => Effect.void,
        }),
      ],
    },
  )
  const enabled = fake.resolve(ENABLED_PLUGINS)
  await until('the plugins of the start', () => enabled.value)
  enabled.set([{ manifest, folder, data_folder: folder, granted: ['read'] }])
  const ask = async (url: string, headers: Readonly<Record<string, string>> = {}, payload?: object) => {
    const method = payload ? 'POST' : 'GET'
    const answered = await app.inject({
      method,
      url,
      headers: { host: '10.2.3.4:5800', ...headers },
      ...(payload && { payload }),
    })
    const contentType = String(answered.headers['content-type'])
    return { status: answered.statusCode, contentType, body: answered.body, headers: answered.headers }
  }
  const open = async (headers = {}) => {
    const { body } = await ask('/v1/plugins/note-finder/panel', headers)
    return (JSON.parse(body) as { url: string }).url
  }
  return { folder, enabled, sent, ask, open }
}

/** As a frame asks whose origin is nobody's. */
const AS_A_FRAME = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-dest': 'script',
  'sec-fetch-mode': 'cors',
  origin: 'null',
}

test("a panel is served with its ticket to a frame that is nobody's, and is kept apart", async (t) => {
  const { ask, open } = await device(t)
  const url = await open()

  const first = await ask(url)
  const module = await ask(url.replace('index.html', 'lib/plot.js'), AS_A_FRAME)
  const own = await ask(url.replace('index.html', 'vedette-panel.js'), AS_A_FRAME)

  assert.deepEqual([first.status, first.contentType], [200, 'text/html; charset=utf-8'])
  const policy = String(first.headers['content-security-policy'])
  const place = `http://10.2.3.4:5800${url.replace('index.html', '')}`
  assert.match(policy, /^sandbox allow-scripts; default-src 'none';/)
  assert.ok(policy.includes(`connect-src ${place};`), policy)
  assert.ok(policy.endsWith('frame-ancestors http://10.2.3.4:5800'), policy)
  assert.deepEqual([module.status, module.body], [200, 'export {}'])
  assert.equal(module.headers['access-control-allow-origin'], '*')
  assert.match(own.body, /export const panel = /)
})

test('at an address in brackets, which a policy cannot name, a panel is kept to the origin', async (t) => {
  const { ask, open } = await device(t)

  const { headers } = await ask(await open(), { host: '[::1]:5800' })

  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^sandbox allow-scripts; default-src 'none'; script-src 'self';/)
  assert.ok(policy.endsWith("frame-ancestors 'self'"), policy)
})

test('in locked a frame has no session, and needs none: its ticket opens its files and nothing else', async (t) => {
  const { ask, open } = await device(t, 'locked')
  const refused = await ask('/v1/plugins/note-finder/panel')

  const url = await open({ authorization: 'Bearer good' })

  assertProblem(refused, 'token.required')
  assert.equal((await ask(url, AS_A_FRAME)).status, 200)
  for (const other of ['/v1/streams', '/v1/plugins/note-finder/panel'])
    assert.notEqual((await ask(other, AS_A_FRAME)).status, 200, other)
  assertProblem(await ask('/v1/plugins/note-finder/messages', AS_A_FRAME, { message: 1 }), 'origin.foreign')
})

test('what is no file of a panel leads nowhere', async (t) => {
  const { ask, open, folder, enabled } = await device(t)
  symlinkSync(join(folder, 'secret.js'), join(folder, 'panel/link.js'))
  writeFileSync(join(folder, 'panel/.hidden.js'), '')
  writeFileSync(join(folder, 'panel/program.exe'), '')
  const url = await open()
  const at = (path: string) => ask(url.replace('index.html', path))

  for (const path of [
    'nothing.js',
    'link.js',
    '.hidden.js',
    'program.exe',
    'lib',
    '%2e%2e/secret.js',
    'lib/..%2f..%2fsecret.js',
  ])
    assertProblem(await at(path), 'route.not_found')
  assertProblem(await ask(url.replace(/panel\/[^/]+/, 'panel/abc.0123456789abcdefghijkl')), 'route.not_found')
  const [plugin] = enabled.value ?? []
  assert.ok(plugin)
  enabled.set([{ ...plugin, manifest: { ...manifest, version: '1.0.1' } }])
  assertProblem(await ask(url), 'route.not_found')
  enabled.set([])
  assertProblem(await ask(url), 'route.not_found')
  assertProblem(await ask('/v1/plugins/note-finder/panel'), 'plugin.no_panel')
})

test('a message of a panel is handed to the program of its plugin', async (t) => {
  const { ask, sent } = await device(t)

  const handed = await ask('/v1/plugins/note-finder/messages', {}, { message: { reset: true } })
  const nobody = await ask('/v1/plugins/nobody/messages', {}, { message: 1 })

  assert.equal(handed.status, 204)
  assert.deepEqual(sent, [['note-finder', { reset: true }]])
  assertProblem(nobody, 'plugin.no_panel')
})

test('of a plugin that is not installed nobody hears, and one that is not enabled may be listened to', async (t) => {
  const { url, fake } = await listeningApi(t)
  await addPlugin(fake, await packageOf({ name: 'quiet-panel' }), false)
  const dial = (name: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/plugins/${name}/messages`)
    t.after(() => socket.terminate())
    return socket.on('error', () => {})
  }

  const [, refusal] = await arrival('a refusal', once(dial('nobody'), 'unexpected-response'))
  const installed = dial('quiet-panel')
  await arrival('an open socket', once(installed, 'open'))

  assert.equal(refusal.statusCode, 404)
})
