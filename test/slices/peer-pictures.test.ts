// The camera of one device, watched at another: two real services, each with a data directory of its own.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { isJpeg, pictures, type Viewer, viewer } from '../support/api/preview.ts'
import { type FrameWatcher, watchFrames } from '../support/media/frame-messages.ts'
import { site } from '../support/processes/daemon.ts'
import { enginesOf } from '../support/processes/engines.ts'
import { arrival, until } from '../support/until.ts'

const VIEWERS = 10

/** Two services: `source` has a camera, and is known to `receiver`. pictures: where those of the camera are there. */
const two = async (t: TestContext) => {
  const places = [site(t), site(t)] as const
  const [source, receiver] = await Promise.all(places.map((each) => each.start()))
  if (!source || !receiver) throw new Error('two services are needed')
  await source.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10 } })
  const { body: peer } = await receiver.send<PeerRecord>('POST', '/v1/peers', { base_url: source.url })
  const record = () => receiver.get<PeerRecord>(`/v1/peers/${peer.id}`)
  await until('the link', record, ({ status }) => status === 'linked')
  return { source, receiver, record, pictures: `${receiver.url}/v1/peers/${peer.id}/streams/front` }
}

const seen = ({ shown }: Viewer, count: number) => until(`${count} pictures`, () => pictures(shown).length >= count)

const seqsOf = ({ shown }: Viewer): ReadonlySet<number> => new Set(pictures(shown).map(({ seq }) => seq))

/** By number, the bytes. */
const bytesIn = ({ shown }: Viewer) => new Map(pictures(shown).map(({ seq, jpeg }) => [seq, jpeg.toString('base64')]))

test('ten viewers at one device see what one at the other sees, for one viewer there and no engine here', async (t) => {
  const { source, receiver, pictures: there } = await two(t)
  const direct = await viewer(t, `${source.url}/v1/streams/front/preview`)
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => viewer(t, `${there}/preview`)))

  for (const each of [direct, ...viewers]) await seen(each, 5)
  const haveMet = ({ shown }: Viewer) => {
    const there = seqsOf(direct)
    return pictures(shown).some(({ seq }) => there.has(seq))
  }
  await until('a picture that both have seen', () => viewers.every(haveMet)) // each is left out where somebody is slow

  const original = bytesIn(direct)
  for (const each of viewers) {
    const same = [...bytesIn(each)].filter(([seq]) => original.has(seq))
    for (const [seq, bytes] of same) assert.equal(bytes, original.get(seq), `picture ${seq}`)
  }
  assert.equal((await source.metrics('front')).viewers, 2)
  assert.deepEqual(enginesOf(receiver), [])
  assert.deepEqual((await receiver.get<{ items: unknown[] }>('/v1/streams')).items, [])
})

test('one picture, and pictures as messages, come as well', async (t) => {
  const { pictures: there } = await two(t)

  const response = await fetch(`${there}/frame?max_width=160`)
  const jpeg = await response.bytes()
  const socket = new WebSocket(`${there.replace('http', 'ws')}/frames`)
  t.after(() => socket.terminate())
  const message = await arrival('a message', new Promise<Buffer>((resolve) => socket.once('message', resolve)))

  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/jpeg'])
  assert.match(response.headers.get('x-sequence') ?? '', /^\d+$/)
  assert.ok(isJpeg(jpeg))
  assert.ok(isJpeg(message.subarray(13)))
})

test('what is found in a picture comes with it from the other device, too', async (t) => {
  const { source, pictures: there } = await two(t)
  const query = '/frames?results=true&outputs=truth'
  const direct = await watchFrames(t, `${source.url}/v1/streams/front${query}`)
  const relayed = await watchFrames(t, `${there}${query}`)

  const seqsOf = ({ messages }: FrameWatcher) => new Set(messages.map(({ results }) => results?.seq))
  await until('the same pictures', () => {
    const seen = seqsOf(relayed)
    return [...seqsOf(direct)].filter((seq) => seen.has(seq)).length >= 5
  })

  const bySeq = new Map(direct.messages.map((message) => [message.results?.seq, message]))
  const same = relayed.messages.filter(({ results }) => bySeq.has(results?.seq))
  for (const message of same) assert.deepEqual(message, bySeq.get(message.results?.seq))
  assert.deepEqual(Object.keys(same[0]?.results?.outputs ?? {}), ['truth'])
})

test('when the other device dies, those who watch are ended, and who asks is told why', async (t) => {
  const { source, record, pictures: there } = await two(t)
  const watching = await viewer(t, `${there}/preview`)
  await seen(watching, 2)

  await source.end('SIGKILL')

  await until('his end', () => !watching.isOpen())
  await until('the loss', record, ({ status }) => status !== 'linked')
  const response = await fetch(`${there}/preview`)
  assert.equal(response.status, 502)
  assert.equal(((await response.json()) as { code: string }).code, 'peer.unreachable')
})
