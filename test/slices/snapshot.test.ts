// A picture of a camera is kept, with what was found in it; it is turned, and read back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { SidecarHead, SidecarRecord } from '../../machines/recording/sidecar.ts'
import { inspect } from '../../native/media/content/inspect.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'

const read = async ({ url }: Daemon, path: string) => {
  const response = await fetch(url + path)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test('a snapshot is stored with the results of the same frame, can be edited, and survives its stream', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({
    id: 'front',
    source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 },
    pose: { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
  })

  const { status, body: item } = await daemon.send<MediaItem>('POST', '/v1/streams/front/snapshot', {
    metadata: { note: 'by the goal' },
  })

  assert.equal(status, 201, JSON.stringify(item))
  assert.deepEqual(
    [item.kind, item.origin, item.state, item.stream_id, item.width_px, item.height_px, item.metadata.note],
    ['picture', 'snapshot', 'ready', 'front', 640, 480, 'by the goal'],
  )
  assert.match(item.name, /^front-\d{8}-\d{6}\.jpg$/)
  const content = await read(daemon, `/v1/media/${item.name}`)
  const looked = await inspect({
    size: content.bytes.length,
    at: async (from, length) => content.bytes.subarray(from, from + length),
  })
  assert.ok(!isFault(looked))
  assert.deepEqual([looked.media_type, looked.width_px, content.type], ['image/jpeg', 640, 'image/jpeg'])
  const results = await read(daemon, `/v1/media/${item.name}?as=results`)
  const [head, record] = results.bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [SidecarHead, SidecarRecord]
  assert.deepEqual([head.stream, record.pts_us, record.seq], ['front', 0, item.metadata.seq])
  assert.ok(Math.abs(head.epoch_ms - (item.captured_at_ms ?? 0)) <= 1)
  assert.deepEqual(Object.values(record.outputs).flat().length > 0, true)

  const edited = await daemon.send<MediaItem>('POST', `/v1/media/${item.name}/image/edits`, {
    edits: [
      { op: 'rotate', degrees: 90 },
      { op: 'crop', x_px: 10, y_px: 20, width_px: 300, height_px: 200 },
    ],
  })
  assert.equal(edited.status, 200, JSON.stringify(edited.body))
  assert.deepEqual(
    [edited.body.width_px, edited.body.height_px, edited.body.edited_from, edited.body.origin],
    [300, 200, item.name, 'edit'],
  )
  assert.equal(edited.body.name, item.name.replace('.jpg', '-edit.jpg'))
  const beyond = await daemon.send('POST', `/v1/media/${item.name}/image/edits`, {
    edits: [{ op: 'crop', x_px: 600, y_px: 0, width_px: 300, height_px: 200 }],
  })
  assert.deepEqual([beyond.status, beyond.body.code], [400, 'body.invalid'])

  assert.equal((await daemon.send('DELETE', '/v1/streams/front')).status, 204)
  assert.deepEqual([(await daemon.send('POST', '/v1/streams/front/snapshot')).status], [404])
  const { items } = await daemon.get<{ items: MediaItem[] }>('/v1/media?stream_id=front&sort=created')
  assert.deepEqual(
    items.map(({ name }) => name),
    [item.name, edited.body.name],
  )
})

test('a stream that gives no picture has none to be kept, and leaves nothing', async (t) => {
  const { dataDir, start } = site(t)
  const daemon = await start()
  await daemon.send('POST', '/v1/streams', { id: 'rear', source: { backend: 'images', path: `${dataDir}/nowhere` } })
  await daemon.error('camera.missing', 'streams/rear')

  const { status, body } = await daemon.send('POST', '/v1/streams/rear/snapshot')

  assert.deepEqual([status, body.code], [503, 'stream.no_picture'])
  assert.deepEqual((await daemon.get<{ items: MediaItem[] }>('/v1/media')).items, [])
})
