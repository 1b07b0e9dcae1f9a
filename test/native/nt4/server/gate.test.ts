// Whom the NT4 server lets in, over real connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { webSocketNt4 } from '../../../../native/nt4/ws-port.ts'
import { earlyEnds, statusesTo } from '../../../support/api/early-ends.ts'
import { rawRequest } from '../../../support/api/raw-http.ts'
import { crudeClient, nt4Lab } from '../../../support/nt4/nt4.ts'
import { arrival } from '../../../support/until.ts'

const serving = async (t: TestContext) => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const reported: string[] = []
  const port = webSocketNt4({ names: ['camera'], origins: ['https://dash.example'] })
  const listen = { host: '127.0.0.1', port: 0, persistentFile: null }
  const server = await Effect.runPromise(
    Scope.provide(
      port.serve(listen, ({ code, detail }) => reported.push(`${code}: ${detail}`)),
      scope,
    ),
  )
  return { server, reported }
}

const HANDSHAKE = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
].join('\r\n')

const upgrade = (headers: string, target = '/nt/x') => `GET ${target} HTTP/1.1\r\n${headers}\r\n${HANDSHAKE}\r\n`

test('robots and trusted pages are let in, foreign pages and foreign names are not', async (t) => {
  const { server, reported } = await serving(t)
  const statusOf = async (bytes: string) => (await rawRequest(server.port, bytes)).status

  const statuses = {
    robot: await statusOf(upgrade('Host: 127.0.0.1')),
    'robot by name': await statusOf(upgrade('Host: camera.local:5810')),
    'robot that says no name': await statusOf(upgrade('Host: ')),
    'robot that forwards': await statusOf(upgrade('Host: roborio-1234-frc.local:5810')),
    'program by a foreign name': await statusOf(upgrade('Host: cam.example')),
    'listed page': await statusOf(upgrade('Host: camera\r\nOrigin: https://dash.example')),
    'installed program': await statusOf(upgrade('Host: camera\r\nOrigin: file://')),
    'absolute target': await statusOf(upgrade('Host: camera', 'http://camera/nt/x')),
    'foreign page': await statusOf(upgrade('Host: camera\r\nOrigin: https://evil.example')),
    'page that hides': await statusOf(upgrade('Host: camera\r\nOrigin: null')),
    'foreign name': await statusOf(upgrade('Host: evil.example\r\nOrigin: http://evil.example')),
    'foreign target': await statusOf(upgrade('Host: camera\r\nOrigin: http://camera', 'http://evil.example/nt/x')),
    'two hosts': await statusOf(upgrade('Host: camera\r\nHost: evil.example')),
    'foreign name without upgrade': await statusOf('GET /nt/persistent.json HTTP/1.1\r\nHost: evil.example\r\n\r\n'),
    'two hosts without upgrade': await statusOf('GET / HTTP/1.1\r\nHost: camera\r\nHost: camera\r\n\r\n'),
    'page without upgrade': await statusOf('GET / HTTP/1.1\r\nHost: camera\r\nOrigin: https://evil.example\r\n\r\n'),
  }

  assert.deepEqual(statuses, {
    robot: 101,
    'robot by name': 101,
    'robot that says no name': 101,
    'robot that forwards': 101,
    'program by a foreign name': 101,
    'listed page': 101,
    'installed program': 101,
    'absolute target': 101,
    'foreign page': 403,
    'page that hides': 403,
    'foreign name': 421,
    'foreign target': 421,
    'two hosts': 400,
    'foreign name without upgrade': 421,
    'two hosts without upgrade': 400,
    'page without upgrade': 200,
  })
  assert.equal(reported.length, 1, 'at a bounded rate')
  assert.match(reported[0] as string, /^nt4.client_refused: .*pages from https:\/\/evil\.example may not connect/)
})

test('a page in a browser on this device is served like a robot', async (t) => {
  const { port } = await nt4Lab(t).serve()

  const page = await crudeClient(t, port, { origin: 'http://127.0.0.1:5800' })
  const stranger = await crudeClient(t, port, { origin: 'http://evil.example' })

  assert.equal(page.socket.readyState, page.socket.OPEN)
  assert.equal(stranger.socket.readyState, stranger.socket.CLOSED)
})

for (const [what, end] of Object.entries(earlyEnds('/')))
  test(`the NT4 server answers ${what} no more than once`, async (t) => {
    const { server } = await serving(t)
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    await arrival('a connection', once(socket, 'connect'))

    const statuses = await statusesTo(socket, end)

    assert.equal(statuses.length, end.answers, String(statuses))
  })
