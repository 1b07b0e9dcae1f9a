// The event feed over real WebSockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import Type from 'typebox'
import WebSocket from 'ws'
import type { EventDocument } from '../../../machines/events/event.ts'
import { eventKind } from '../../../machines/events/kind.ts'
import { settingsBranch } from '../../../supervisors/settings/branch.ts'
import { listeningApi } from '../../support/api/api.ts'
import { arrival, until } from '../../support/until.ts'

type Message = Pick<EventDocument, 'kind' | 'seq' | 'epoch'> & Partial<EventDocument> & { readonly resumed?: boolean }

const listener = async (t: TestContext, url: string, query = '', headers = {}) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events${query}`, { headers })
  t.after(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await arrival('an open feed', once(socket, 'open'))
  return { socket, messages }
}

const happened = eventKind({
  kind: 'test_happened',
  about: 'Something happened.',
  reference: {},
  data: Type.Unknown(),
  revised: false,
  example: { resource_ref: {}, data: 1 },
})

const fact = (data: unknown) => ({ resource_ref: {}, data })

const hello = (epoch: string, seq: number, resumed: boolean) => ({ kind: 'hello', epoch, seq, resumed })
const reset = (epoch: string, seq: number) => ({ kind: 'reset', epoch, seq })

/** A service on which nothing happens but what a test tells. */
const quietApi = async (t: TestContext) => {
  const api = await listeningApi(t, {}, { branches: [settingsBranch] })
  return { ...api, epoch: api.fake.directory.identity.epoch }
}

/** Waits for so many messages. */
const arrive = (messages: readonly Message[], count: number) =>
  until(
    `${count} messages`,
    () => messages.length,
    (length) => length === count,
  )

test('a new client is greeted, told to read everything, and then gets each event', async (t) => {
  const { url, fake, epoch } = await quietApi(t)
  fake.directory.events.publish(happened, fact(1))
  const { messages } = await listener(t, url)
  await arrive(messages, 2)

  fake.directory.events.publish(happened, fact(2))

  await arrive(messages, 3)
  assert.deepEqual(messages.slice(0, 2), [hello(epoch, 1, false), reset(epoch, 1)])
  assert.deepEqual([messages[2]?.seq, messages[2]?.data], [2, 2])
})

test('a client that comes back is greeted as one that does, and gets what it missed', async (t) => {
  const { url, fake, epoch } = await quietApi(t)
  for (let n = 1; n <= 5; n++) fake.directory.events.publish(happened, fact(n))

  const { messages } = await listener(t, url, `?since=2&epoch=${epoch}`)

  await arrive(messages, 4)
  assert.deepEqual(messages[0], hello(epoch, 5, true))
  assert.deepEqual(
    messages.slice(1).map(({ seq }) => seq),
    [3, 4, 5],
  )
})

test('a client that missed nothing is greeted and told nothing', async (t) => {
  const { url, fake, epoch } = await quietApi(t)
  fake.directory.events.publish(happened, fact(1))
  const { messages } = await listener(t, url, `?since=1&epoch=${epoch}`)
  await arrive(messages, 1)

  fake.directory.events.publish(happened, fact(2))

  await arrive(messages, 2)
  assert.deepEqual(messages[0], hello(epoch, 1, true))
  assert.equal(messages[1]?.seq, 2)
})

test('a client of another epoch, or from the future, starts over', async (t) => {
  const { url, fake, epoch } = await quietApi(t)
  fake.directory.events.publish(happened, fact(1))

  for (const query of ['?since=0&epoch=older', `?since=9&epoch=${epoch}`, '?since=0']) {
    const { messages } = await listener(t, url, query)
    await arrive(messages, 2)
    assert.deepEqual(messages, [hello(epoch, 1, false), reset(epoch, 1)])
  }
})

test('a write over HTTP reaches those who listen', async (t) => {
  const { url } = await quietApi(t)
  const { messages } = await listener(t, url)

  await fetch(`${url}/v1/streams`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'front', source: { backend: 'synthetic' } }),
  })

  await arrive(messages, 3)
  const { kind, resource_ref, revision, data } = messages[2] as EventDocument
  assert.deepEqual(
    { kind, resource_ref, revision, data },
    { kind: 'stream_changed', resource_ref: { stream_id: 'front' }, revision: 1, data: { deleted: false } },
  )
})

test('a client that does not read is closed with 1013 at one mebibyte; the others miss nothing', async (t) => {
  const { url, fake } = await quietApi(t)
  const slow = await listener(t, url)
  const quick = await listener(t, url)
  await arrive(quick.messages, 2)
  slow.socket.pause()
  const closed = once(slow.socket, 'close')
  const EVENTS = 200
  const data = 'x'.repeat(100_000)

  for (let n = 1; n <= EVENTS; n++) {
    const arrived = once(quick.socket, 'message')
    fake.directory.events.publish(happened, fact(data))
    await arrival(`event ${n} of the quick client`, arrived, () => quick.messages.length)
  }
  slow.socket.resume()

  assert.equal((await arrival('the end of the slow client', closed, () => slow.messages.length))[0], 1013)
  assert.ok(slow.messages.length < EVENTS)
})

test('a foreign page may not listen, and neither may a bad query', async (t) => {
  const { url } = await quietApi(t)
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
  const { url } = await quietApi(t)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/health`)
  socket.on('error', () => {})

  const [, response] = await arrival('a refusal', once(socket, 'unexpected-response'))
  response.resume()
  const plain = await fetch(`${url}/v1/events`)

  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(((await plain.json()) as { code: string }).code, 'upgrade.required')
})
