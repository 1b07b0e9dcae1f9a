// A recording from the order to the file in the list of media, with an engine that is killed in the middle, and a
// service that is.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { SidecarHead, SidecarRecord } from '../../machines/recording/sidecar.ts'
import { boxesOf, complaintsAbout, jpegsOf, noFfmpeg, picturesOf } from '../support/media/boxes.ts'
import type { Daemon } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

const START = '/v1/streams/front/recording/start'
const STOP = '/v1/streams/front/recording/stop'

const recordingOf = async (daemon: Daemon) => (await daemon.get<StreamView>('/v1/streams/front')).status.recording

const itemsOf = async (daemon: Daemon): Promise<readonly MediaItem[]> =>
  (await daemon.get<{ items: MediaItem[] }>('/v1/media')).items

/** The content of an item, saved to a file. */
const saved = async (t: TestContext, daemon: Daemon, { name, etag, media_type }: MediaItem): Promise<string> => {
  const response = await fetch(`${daemon.url}/v1/media/${name}`)
  assert.deepEqual([response.status, response.headers.get('etag')], [200, etag])
  assert.equal(response.headers.get('content-type'), media_type)
  const path = join(folderOf(t), name)
  writeFileSync(path, Buffer.from(await response.arrayBuffer()))
  return path
}

const resultsOf = async (daemon: Daemon, { name }: MediaItem) => {
  const [head, ...records] = (await (await fetch(`${daemon.url}/v1/media/${name}?as=results`)).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { head: head as SidecarHead, records: records as SidecarRecord[] }
}

const recordedMore = async (daemon: Daemon, frames: number): Promise<void> => {
  await until(
    'pictures in the file',
    () => recordingOf(daemon),
    (status) => (status?.frames ?? 0) >= frames,
  )
}

test('a stream is recorded, and found among the media when it is over', { skip: noFfmpeg }, async (t) => {
  const { daemon, jpeg } = await tagsDaemon(t)

  const begun = await daemon.send<MediaItem>('POST', START, { name: 'Match 12' })
  await recordedMore(daemon, 60)
  const during = await recordingOf(daemon)
  const again = await daemon.send<{ code: string }>('POST', START)
  const ended = await daemon.send('POST', STOP)
  const [item] = await itemsOf(daemon)

  assert.equal(begun.status, 201)
  assert.deepEqual([begun.body.state, begun.body.stream_id, begun.body.kind], ['writing', 'front', 'recording'])
  assert.deepEqual([during?.state, during?.name, during?.frames_lost], ['recording', begun.body.name, 0])
  assert.ok(during && during.size_bytes > 0 && during.results > 0)
  assert.deepEqual([again.status, again.body.code], [409, 'actor.not_now'])
  assert.equal(ended.status, 204)
  assert.equal(await recordingOf(daemon), null)
  assert.ok(item)
  assert.deepEqual([item.name, item.state, item.flaw, item.width_px], [begun.body.name, 'ready', null, 640])
  const path = await saved(t, daemon, item)
  const jpegs = jpegsOf(path)
  assert.deepEqual([jpegs.length, picturesOf(path).length], [item.frames, item.frames])
  assert.ok(jpegs.every((each) => each.equals(jpeg)))
  assert.equal(complaintsAbout(path), '')
  const shown = await fetch(`${daemon.url}/v1/media/${item.name}?as=multipart&from_ms=500`)
  const parts = Buffer.from(await shown.arrayBuffer())
  const late = picturesOf(path).filter((pts) => pts >= 500_000)
  assert.match(shown.headers.get('content-type') ?? '', /^multipart\/x-mixed-replace; boundary=/)
  assert.deepEqual(
    [...parts.toString('latin1').matchAll(/X-Position-Ms: ([\d.]+)/g)].map(([, ms]) => Math.round(Number(ms) * 1000)),
    [...late, late.at(-1)],
    'the last twice: browsers show a picture when the next one begins',
  )
  assert.equal(parts.toString('latin1').split(jpeg.toString('latin1')).length - 1, late.length + 1)
  assert.equal((await fetch(`${daemon.url}/v1/media/${item.name}?as=multipart`, { method: 'HEAD' })).status, 200)
  const { head, records } = await resultsOf(daemon, item)
  assert.deepEqual([head.stream, item.captured_at_ms], ['front', head.epoch_ms])
  assert.ok(records.length >= during.results && records.every(({ outputs }) => (outputs.tags?.length ?? 0) > 0))
})

test('an engine that is killed costs half a second; the recording goes on in another item', {
  skip: noFfmpeg,
}, async (t) => {
  const { daemon } = await tagsDaemon(t)
  const { body: first } = await daemon.send<MediaItem>('POST', START)
  await recordedMore(daemon, 60)
  const before = await recordingOf(daemon)

  process.kill((await daemon.metrics('front')).engine_pid as number, 'SIGKILL')
  const after = await until(
    'the next file',
    () => recordingOf(daemon),
    (status) => status?.state === 'recording' && status.name !== first.name && status.frames > 0,
  )
  const ended = await daemon.send('POST', STOP)

  assert.deepEqual(after?.earlier, [first.name])
  assert.equal(ended.status, 204)
  const items = await itemsOf(daemon)
  const flaws = items.map(({ name, flaw, state }) => [name, state, flaw]).sort()
  assert.deepEqual(
    flaws,
    [
      [first.name, 'ready', 'truncated'],
      [after?.name, 'ready', null],
    ].sort(),
  )
  for (const item of items) {
    const path = await saved(t, daemon, item)
    const { head, records } = await resultsOf(daemon, item)
    const times = picturesOf(path)
    assert.equal(complaintsAbout(path), '')
    assert.ok(head.monotonic_us_of_pts_0 > 0 && records.length > 0)
    if (item.name === first.name)
      assert.ok((times.at(-1) ?? 0) / 1000 >= (before?.duration_ms ?? 0) - 1000, 'at most the last second is lost')
  }
})

test('a service that is killed keeps what it has recorded', { skip: noFfmpeg }, async (t) => {
  const { place, daemon } = await tagsDaemon(t)
  const { body: first } = await daemon.send<MediaItem>('POST', START)
  await recordedMore(daemon, 60)

  await daemon.end('SIGKILL')
  const next = await place.start()

  const [item] = await until(
    'the item',
    () => itemsOf(next),
    ([each]) => each?.state === 'ready',
  )
  assert.deepEqual([item?.name, item?.flaw], [first.name, 'interrupted'])
  const path = await saved(t, next, item as MediaItem)
  assert.ok(boxesOf(path).length > 2 && picturesOf(path).length >= 30)
  assert.equal(complaintsAbout(path), '')
  assert.equal(await recordingOf(next), null)
})

test('a service that is stopped ends what it records', { skip: noFfmpeg }, async (t) => {
  const { place, daemon } = await tagsDaemon(t)
  await daemon.send('POST', START)
  await recordedMore(daemon, 30)

  await daemon.end('SIGTERM')
  const next = await place.start()

  const [item] = await until(
    'the item',
    () => itemsOf(next),
    ([each]) => each?.state === 'ready',
  )
  assert.equal(item?.flaw, null)
  assert.equal(picturesOf(await saved(t, next, item as MediaItem)).length, item?.frames)
})

test('what cannot be recorded is said: another stream, one that is disabled, a name that is none', async (t) => {
  const { daemon } = await tagsDaemon(t)
  await daemon.send('POST', '/v1/streams', { id: 'off', enabled: false, source: { backend: 'synthetic' } })

  const none = await daemon.send<{ code: string }>('POST', '/v1/streams/none/recording/start')
  const off = await daemon.send<{ code: string; detail: string }>('POST', '/v1/streams/off/recording/start')
  const odd = await daemon.send<{ code: string }>('POST', START, { name: 7 })

  assert.deepEqual([none.status, none.body.code], [404, 'stream.not_found'])
  assert.deepEqual([off.status, off.body.code], [502, 'recording.failed'])
  assert.match(off.body.detail, /disabled/)
  assert.deepEqual([odd.status, odd.body.code], [400, 'body.invalid'])
  assert.equal((await daemon.send('POST', STOP)).status, 204)
  assert.deepEqual(await itemsOf(daemon), [])
})
