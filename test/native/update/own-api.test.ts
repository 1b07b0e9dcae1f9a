// Whether this service answers itself.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { askOwnApi } from '../../../native/update/own-api.ts'
import { listeningApi } from '../../support/api/api.ts'

const asked = (port: number, host = '127.0.0.1') => Effect.runPromise(Effect.result(askOwnApi({ host, port })))

const listening = async (t: TestContext, server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

test('a service that listens answers, also one that listens everywhere', async (t) => {
  const { port } = await listeningApi(t)

  assert.deepEqual([(await asked(port))._tag, (await asked(port, '0.0.0.0'))._tag], ['Success', 'Success'])
})

test('nobody, somebody who says nothing sensible, and a server that fails are no answer', async (t) => {
  const babbler = await listening(
    t,
    createServer((socket) => socket.on('error', () => {}).end('hello\r\n\r\n')),
  )
  const broken = await listening(
    t,
    createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n')),
  )
  const gone = createServer()
  const port = await listening(t, gone)
  gone.close()

  for (const each of [babbler, broken, port]) {
    const answer = await asked(each)
    assert.equal(answer._tag, 'Failure')
  }
})
