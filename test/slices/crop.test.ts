// The crop of a stream while it is watched and recorded: nobody is disconnected, and what is kept says what part it is.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { SidecarHead } from '../../machines/recording/sidecar.ts'
import { inspect } from '../../native/media/content/inspect.ts'
import { viewer } from '../support/api/preview.ts'
import { jpegsOf, noFfmpeg, probed } from '../support/media/boxes.ts'
import { videoViewer } from '../support/media/video-packets.ts'
import { folderOf } from '../support/processes/folder.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

const picture = { width_px: 640, height_px: 400 }
const first = { x_px: 160, y_px: 96, width_px: 320, height_px: 208 }
const second = { ...first, x_px: 176 }

/** Width and height of a JPEG. */
const sizeOf = async (jpeg: Buffer | undefined): Promise<readonly unknown[]> => {
  const bytes = jpeg ?? Buffer.alloc(0)
  const found = await inspect({ size: bytes.length, at: async (from, length) => bytes.subarray(from, from + length) })
  return isFault(found) ? [] : [found.width_px, found.height_px]
}

test('a stream is cropped while somebody watches and it is recorded', async (t) => {
  const { place, daemon } = await tagsDaemon(t)
  const { shown, isOpen } = await viewer(t, `${daemon.url}/v1/streams/front/preview`)
  const front = () => daemon.get<StreamView>('/v1/streams/front')
  const crop = (part: object) =>
    daemon.send<{ crop: unknown; applied: unknown }>('POST', '/v1/streams/front/crop', part)
  const frames = (name?: string) =>
    until(
      'pictures in another file',
      async () => (await front()).status.recording,
      (recording) => recording?.name && recording.name !== name && recording.frames >= 5,
    )
  const { engine_pid } = await daemon.metrics('front')

  await t.test('a viewer keeps his connection and sees the part', async () => {
    const { status, body } = await crop(first)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.applied, { ...first, by: 'engine', sensor: null, picture })

    await until(
      'a picture of the part',
      () => sizeOf(shown.at(-1)?.jpeg),
      ([width, height]) => width === 320 && height === 208,
    )

    assert.ok(isOpen()) // on a slow machine words stand between the pictures, until the camera is open again
    assert.equal((await daemon.metrics('front')).engine_pid, engine_pid)
    const { status: now } = await front()
    assert.deepEqual([now.viewers, now.width_px, now.height_px, now.restarts], [1, 320, 208, 0])
  })

  await t.test('whoever watches it as H.264 sees the part too', { skip: noFfmpeg }, async (step) => {
    const { packets } = await videoViewer(step, `${daemon.url}/v1/streams/front/preview?codec=h264`)
    await until('ten packets', packets, ({ length }) => length >= 10)

    const file = join(folderOf(step), 'video.h264')
    writeFileSync(file, Buffer.concat(packets().map(({ payload }) => payload)))
    assert.equal(probed(file, 'stream=width,height'), '320,208')
  })

  await t.test('a recording has pictures of one part, and another one goes to another file', async () => {
    const { body: item } = await daemon.send<MediaItem>('POST', '/v1/streams/front/recording/start')
    await frames()
    await crop(second)
    await frames(item.name)
    assert.equal((await daemon.send('POST', '/v1/streams/front/recording/stop')).status, 204)

    const { items } = await until(
      'files that are whole',
      () => daemon.get<{ items: MediaItem[] }>('/v1/media'),
      ({ items }) => items.every(({ state }) => state === 'ready'),
    )
    const noted = new Map(items.map(({ name, metadata }) => [name === item.name ? 'first' : 'second', metadata.crop]))
    assert.deepEqual([...noted].sort(), [
      ['first', { ...first, picture }],
      ['second', { ...second, picture }],
    ])
    for (const { name, flaw, width_px, height_px } of items) {
      assert.deepEqual([flaw, width_px, height_px], [null, 320, 208])
      const [head = ''] = (await (await fetch(`${daemon.url}/v1/media/${name}?as=results`)).text()).split('\n')
      assert.deepEqual((JSON.parse(head) as SidecarHead).crop, { ...(name === item.name ? first : second), picture })
      const file = join(place.dataDir, `saved-${name}`)
      writeFileSync(file, Buffer.from(await (await fetch(`${daemon.url}/v1/media/${name}`)).arrayBuffer()))
      for (const jpeg of jpegsOf(file).slice(0, 2)) assert.deepEqual(await sizeOf(jpeg), [320, 208])
    }
  })

  await t.test('a snapshot is of the part, and says so; without a crop it says nothing', async () => {
    const { body: part } = await daemon.send<MediaItem>('POST', '/v1/streams/front/snapshot')
    await crop({ x: 0, y: 0, width: 1, height: 1 })
    const { body: whole } = await daemon.send<MediaItem>('POST', '/v1/streams/front/snapshot')

    assert.deepEqual([part.width_px, part.height_px, part.metadata.crop], [320, 208, { ...second, picture }])
    assert.deepEqual([whole.width_px, whole.height_px, whole.metadata.crop], [640, 400, undefined])
    assert.ok(isOpen())
  })
})
