// Another device looks at this one, over real sockets: what is here, what happens, and what it has done. The service is
// killed meanwhile.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import WebSocket from 'ws'
import type { EventDocument } from '../../machines/events/event.ts'
import type { StreamCommandAnswer } from '../../machines/interdevice/command.ts'
import type { GraphPatchAnswer } from '../../machines/interdevice/graph-patch.ts'
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import { isJpeg } from '../support/api/preview.ts'
import { packetsIn } from '../support/media/video-packets.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

const pose = { x_m: 0.31, y_m: -0.12, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 30 }
const COMMANDS = '/v1/interdevice/streams/front/commands'

const listening = async (t: TestContext, { url }: Daemon, path: string, protocols: string[] = []) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols)
  t.after(() => socket.terminate())
  socket.on('error', () => {}) // the service is killed
  const messages: Buffer[] = []
  socket.on('message', (data: Buffer) => messages.push(data))
  await arrival('an open socket', once(socket, 'open'))
  return messages
}

test('another device reads, hears a change, and repeats it without effect after the service is killed', async (t) => {
  const { start } = site(t)
  const first = await start()
  await first.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const seen = await first.get<Inventory>('/v1/interdevice/resources')
  const events = await listening(
    ...([t, first, `/v1/interdevice/events?since=${seen.seq}&epoch=${seen.epoch}`] as const),
    ['vedette.events.msgpack'],
  )
  const command = { request_id: 'move-front', command: 'set_pose', payload: pose, expected_revision: 1 }

  const moved = await first.send<StreamCommandAnswer>('POST', COMMANDS, command)
  const heard = await until(
    'the pose',
    () => events.map((each) => unpack(each) as EventDocument).find(({ kind }) => kind === 'pose_changed'),
    Boolean,
  )
  await first.end('SIGKILL')
  const second = await start()
  await second.stream('front', 'live')
  const again = await second.send<StreamCommandAnswer>('POST', COMMANDS, command)
  const stale = await second.send('POST', COMMANDS, { ...command, request_id: 'another' })
  const after = await second.get<Inventory>('/v1/interdevice/resources')

  assert.deepEqual([seen.streams[0]?.id, seen.streams[0]?.revision, seen.rig[0]?.has_pose], ['front', 1, false])
  assert.deepEqual([moved.status, moved.body.accepted, moved.body.new_revision], [200, true, 2])
  assert.deepEqual(heard?.resource_ref, { stream_id: 'front', camera_uid: 'stream-front' })
  assert.deepEqual(again, moved)
  assert.deepEqual([stale.status, stale.body.accepted, stale.body.new_revision], [409, false, 2])
  assert.deepEqual([after.streams[0]?.revision, after.rig[0]?.has_pose], [2, true])
  assert.notEqual(after.epoch, seen.epoch)
})

test('another device edits the pipeline of a stream and watches its pictures, while the stream goes on', async (t) => {
  const { start } = site(t)
  const daemon = await start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const pictures = await listening(t, daemon, '/v1/interdevice/streams/front/frames')
  await until('pictures', () => pictures.length > 3)
  const { pipelines } = await daemon.get<Inventory>('/v1/interdevice/resources')
  const { engine_pid } = await daemon.metrics('front')

  const { status, body } = await daemon.send<GraphPatchAnswer>(
    ...(['POST', '/v1/interdevice/streams/front/pipeline/graph/patch'] as const),
    {
      expected_pipeline_revision: pipelines[0]?.revision,
      patch: [
        { op: 'test', path: '/nodes/2/id', value: 'tags' },
        { op: 'add', path: '/outputs/-', value: { port: 'more', from: 'tags.detections' } },
      ],
    },
  )
  const count = pictures.length
  await until('further pictures', () => pictures.length > count + 3)
  const sample = await daemon.send('GET', '/v1/streams/front/pipeline/outputs/more/sample')

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.pipeline_revision, body.summary.outputs.includes('more')], [2, true])
  assert.equal(sample.status, 200)
  assert.equal((await daemon.metrics('front')).engine_pid, engine_pid)
  const shown = pictures.flatMap(packetsIn)
  assert.equal(shown.length, pictures.length)
  assert.ok(shown.every(({ payload, isPlaceholder }) => !isPlaceholder && isJpeg(payload)))
  const times = shown.map(({ timeUs }) => timeUs)
  assert.ok(times.every((time, n) => n === 0 || time > (times[n - 1] as bigint)))
})
