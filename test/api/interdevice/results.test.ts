// What other devices hear of what is found in frames here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { listeningApi } from '../../support/api/api.ts'
import { packed } from '../../support/engine/packed.ts'
import { arrival, until } from '../../support/until.ts'

const found = packed({ seq: 1, captured_us: 1_000_000, width_px: 640, height_px: 400 }, [
  { port: 'focus', kind: 'focus', rows: [{ sharpness: 0.5 }] },
])

test('shared streams are told, also those that come later, but neither internal nor foreign ones', async (t) => {
  const { url, fake } = await listeningApi(t, {})
  const source = { backend: 'synthetic' } as const
  const add = async (id: string, more: object = {}) => {
    await fake.put({ id, source, ...more })
    return until(`the stream ${id}`, () => fake.streams.get(id))
  }
  const front = await add('front')
  const own = await add('own', { internal: true })
  const attached = await add('attached', { source: { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 30 } })
  const query = '?streams=front,own,attached,later'
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/interdevice/results${query}`)
  t.after(() => socket.terminate())
  const heard: string[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data)).stream_id))
  await arrival('an open socket', once(socket, 'open'))

  own?.results.set(found)
  attached?.results.set(found)
  front?.results.set(found)
  const later = await add('later')
  later?.results.set(found)
  await until('both', () => heard.length === 2)

  assert.deepEqual(heard, ['front', 'later'])
})
