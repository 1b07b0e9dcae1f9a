// Feeds of one thing among many: found by their path, and refused in words before a socket is open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import Type from 'typebox'
import WebSocket from 'ws'
import { area } from '../../../api/endpoints/endpoint.ts'
import { feed } from '../../../api/endpoints/feed.ts'
import { StreamId } from '../../../machines/schema/stream-id.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import { assertProblem, listeningApi } from '../../support/api/api.ts'
import { arrival } from '../../support/until.ts'

const lamps = area('lamps', 'Lamps.', [
  feed('GET', '/v1/lamps/:id/light', {
    summary: 'Light as it changes',
    params: { id: StreamId },
    query: { colour: Type.Optional(Type.Literal('red')) },
    messages: [{ name: 'light', schema: Type.String(), example: 'on' }],
    admit: ({ params }) => (params.id === 'desk' ? undefined : streamCollection.notFound(params.id)),
    accept: ({ params, query }, socket) => socket.send(`${params.id} ${query.colour ?? 'white'}`),
    faults: ['stream.not_found'],
  }),
])

const listening = async (t: TestContext) => {
  const { url } = await listeningApi(t, { areas: () => [lamps] })
  return (path: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
    t.after(() => socket.terminate())
    socket.on('error', () => {}) // a refusal is one
    return socket
  }
}

test('a feed is found by a path with a name in it, and gets that name', async (t) => {
  const socket = (await listening(t))('/v1/lamps/desk/light?colour=red')

  const [data] = await arrival('a message', once(socket, 'message'))

  assert.equal(String(data), 'desk red')
})

for (const [why, path, code] of [
  ['an unknown name', '/v1/lamps/attic/light', 'stream.not_found'],
  ['a query that does not fit', '/v1/lamps/desk/light?colour=blue', 'query.invalid'],
  ['a path of nothing', '/v1/lamps/desk/light/more', 'route.not_found'],
] as const)
  test(`an upgrade with ${why} is refused in a problem document`, async (t) => {
    const socket = (await listening(t))(path)

    const [, response] = await arrival('a refusal', once(socket, 'unexpected-response'))
    const chunks = await response.toArray()

    const contentType = String(response.headers['content-type'])
    assertProblem({ status: response.statusCode, contentType, body: Buffer.concat(chunks).toString() }, code)
  })
