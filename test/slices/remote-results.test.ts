// What is found in the frames of another device's streams, on the same socket as that of the own ones.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import type { FrameResults } from '../../machines/engine/frame-results.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

type Message = { readonly stream_id: string; readonly ended?: true } & Partial<FrameResults>

const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10 } as const
const FAKE = { VEDETTE_ENGINE: 'fake' } as const

const linked = (receiver: Daemon) =>
  until(
    'the link',
    () => receiver.get<PeerRecord>('/v1/peers/back'),
    ({ status, streams }) => status === 'linked' && streams.length > 0,
  )

/** Two services: `source` has the stream `front`, and is known to `receiver`, which has `near`, as `back`. */
const two = async (t: TestContext) => {
  const there = site(t, undefined, FAKE)
  const [source, receiver] = await Promise.all([there.start(), site(t, undefined, FAKE).start()])
  await source.addStream({ id: 'front', source: SOURCE })
  await receiver.addStream({ id: 'near', source: SOURCE })
  await receiver.send('POST', '/v1/peers', { base_url: source.url, name: 'back' })
  await linked(receiver)
  return { source, receiver, again: () => there.start({ http: new URL(source.url).host }) }
}

const listen = async (t: TestContext, { url }: Daemon, query: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/results?${query}`)
  t.after(() => socket.terminate())
  const heard: Message[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await arrival('an open socket', once(socket, 'open'))
  const of = (id: string) => heard.filter(({ stream_id }) => stream_id === id)
  const hears = (id: string, count: number) => until(`${count} of ${id}`, () => of(id).length >= count)
  return { socket, of, hears }
}

const refusal = async (t: TestContext, { url }: Daemon, query: string): Promise<number | undefined> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/results?${query}`)
  t.after(() => socket.terminate())
  socket.on('error', () => {})
  const [, response] = (await arrival('a refusal', once(socket, 'unexpected-response'))) as [unknown, IncomingMessage]
  return response.statusCode
}

test('streams of this device and of another come on one socket, the latter as that device tells them', async (t) => {
  const { source, receiver } = await two(t)
  const direct = await listen(t, source, 'streams=front&outputs=truth&rate=240')
  const relayed = await listen(t, receiver, 'streams=near,back:front&outputs=truth&rate=240')

  await relayed.hears('near', 3)
  await until('the same frames', () => {
    const seqs = new Set(direct.of('front').map(({ seq }) => seq))
    return relayed.of('back:front').filter(({ seq }) => seqs.has(seq)).length >= 5
  })

  const bySeq = new Map(direct.of('front').map((message) => [message.seq, message]))
  for (const message of relayed.of('back:front')) {
    const original = bySeq.get(message.seq)
    if (original) assert.deepEqual(message, { ...original, stream_id: 'back:front' })
  }
  assert.equal((await source.metrics('front')).picture_kinds, 0)
})

test('they come again by themselves when the other device was away', async (t) => {
  const { source, receiver, again } = await two(t)
  const { of, hears } = await listen(t, receiver, 'streams=near,back:front')
  await hears('back:front', 2)

  await source.end('SIGKILL')
  await until('the loss', async () => (await receiver.get<PeerRecord>('/v1/peers/back')).status !== 'linked')
  const before = of('near').length
  await hears('near', before + 3)
  const count = of('back:front').length
  await again()

  await hears('back:front', count + 3)
  assert.deepEqual(
    of('back:front').filter(({ ended }) => ended),
    [],
  )
})

test('the end of a stream there is told, and that of a device that is forgotten', async (t) => {
  const { source, receiver } = await two(t)
  await source.addStream({ id: 'side', source: SOURCE })
  await until('its entry', async () => (await linked(receiver)).streams.length === 2)
  const { of, hears } = await listen(t, receiver, 'streams=back:front,back:side')
  await hears('back:front', 1)
  await hears('back:side', 1)
  const ends = (id: string) => of(id).filter(({ ended }) => ended).length

  await source.send('DELETE', '/v1/streams/side')
  await until('the end of one', () => ends('back:side') === 1)
  const toldBefore = ends('back:front')
  await receiver.send('DELETE', '/v1/peers/back')
  await until('the end of the other', () => ends('back:front') === 1)

  assert.equal(toldBefore, 0)
})

test('a stream that cannot be is refused by its name', async (t) => {
  const { receiver } = await two(t)

  assert.equal(await refusal(t, receiver, 'streams=back:nothing'), 404)
  assert.equal(await refusal(t, receiver, 'streams=nobody:front'), 404)
  assert.equal(await refusal(t, receiver, 'streams=back:front:more'), 400)
})
