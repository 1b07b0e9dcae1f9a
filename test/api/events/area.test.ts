// The event feed over real WebSockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import WebSocket from 'ws'
import type { EventDocument } from '../../../machines/events/event.ts'
import { listeningApi } from '../../support/api.ts'
import { arrival, until } from '../../support/until.ts'

type Message = EventDocument | { readonly kind: 'reset'; readonly seq: number; readonly epoch: string }

const listener = async (t: TestContext, url: string, query = '', headers = {}) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events${query}`, { headers })
  t.after(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await arrival('an open feed', once(socket, 'open'))
  return { socket, messages }
}

const fact = (n: number) => ({ kind: 'test.happened', resource_ref: {}, data: n })

test('a new client is told where the events begin, and then gets each', async (t) => {
  const { url, fake } = await listeningApi(t)
  fake.events.publish(fact(1))
  const { messages } = await listener(t, url)

  fake.events.publish(fact(2))

  await until(
    'the event',
    () => messages.length,
    (length) => length === 2,
  )
  assert.deepEqual(messages[0], { kind: 'reset', seq: 1, epoch: 'fake' })
  assert.deepEqual([messages[1]?.seq, (messages[1] as EventDocument).data], [2, 2])
})

test('a client that comes back gets what it missed', async (t) => {
  const { url, fake } = await listeningApi(t)
  for (let n = 1; n <= 5; n++) fake.events.publish(fact(n))

  const { messages } = await listener(t, url, '?since=2&epoch=fake')

  await until(
    'the events',
    () => messages.length,
    (length) => length === 3,
  )
  assert.deepEqual(
    messages.map(({ seq }) => seq),
    [3, 4, 5],
  )
})

test('a client of another epoch, or from the future, starts over', async (t) => {
  const { url, fake } = await listeningApi(t)
  fake.events.publish(fact(1))

  for (const query of ['?since=0&epoch=older', '?since=9&epoch=fake', '?since=0']) {
    const { messages } = await listener(t, url, query)
    await until(
      'the reset',
      () => messages.length,
      (length) => length === 1,
    )
    assert.deepEqual(messages, [{ kind: 'reset', seq: 1, epoch: 'fake' }])
  }
})

test('a write over HTTP reaches those who listen', async (t) => {
  const { url } = await listeningApi(t)
  const { messages } = await listener(t, url)

  await fetch(`${url}/v1/streams`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'front', source: { backend: 'synthetic' } }),
  })

  await until(
    'the event',
    () => messages.length,
    (length) => length === 2,
  )
  const { kind, resource_ref, revision } = messages[1] as EventDocument
  assert.deepEqual(
    { kind, resource_ref, revision },
    { kind: 'streams.changed', resource_ref: { stream_id: 'front' }, revision: 1 },
  )
})

test('a client that does not read is closed with 1013 once it is a mebibyte behind; the others miss nothing', async (t) => {
  const { url, fake } = await listeningApi(t)
  const slow = await listener(t, url)
  const quick = await listener(t, url)
  await until(
    'the first words',
    () => quick.messages.length,
    (length) => length === 1,
  )
  slow.socket.pause()
  const closed = once(slow.socket, 'close')
  const EVENTS = 200
  const data = 'x'.repeat(100_000)

  for (let n = 1; n <= EVENTS; n++) {
    const arrived = once(quick.socket, 'message')
    fake.events.publish({ kind: 'test.happened', resource_ref: {}, data })
    await arrival(`event ${n} of the quick client`, arrived, () => quick.messages.length)
  }
  slow.socket.resume()

  assert.equal((await arrival('the end of the slow client', closed, () => slow.messages.length))[0], 1013)
  assert.ok(slow.messages.length < EVENTS)
})

test('a foreign page may not listen, and neither may a bad query', async (t) => {
  const { url } = await listeningApi(t)
  const refusal = async (query: string, headers: Record<string, string>) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events${query}`, { headers })
    socket.on('error', () => {})
    const [, response] = await arrival('a refusal', once(socket, 'unexpected-response'))
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return JSON.parse(Buffer.concat(chunks).toString()).code as string
  }

  assert.equal(await refusal('', { origin: 'http://evil.example' }), 'origin.foreign')
  assert.equal(await refusal('?since=soon', {}), 'query.invalid')
  assert.equal(await refusal('', { host: 'evil.example' }), 'host.unknown')
})

test('an upgrade elsewhere is an ordinary request, and an ordinary request here is told to upgrade', async (t) => {
  const { url } = await listeningApi(t)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/health`)
  socket.on('error', () => {})

  const [, response] = await arrival('a refusal', once(socket, 'unexpected-response'))
  response.resume()
  const plain = await fetch(`${url}/v1/events`)

  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(((await plain.json()) as { code: string }).code, 'upgrade.required')
})
