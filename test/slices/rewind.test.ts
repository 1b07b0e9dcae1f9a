// The last seconds of a stream, saved afterwards: from the manifest that asks for them to the clip in the list of
// media.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import { tagsFile } from '../support/engine/engine-task.ts'
import { complaintsAbout, noFfmpeg, picturesOf } from '../support/media/boxes.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

test('what a stream has seen is saved as a clip, when it keeps something', { skip: noFfmpeg }, async (t) => {
  const place = site(t)
  const { path } = await tagsFile(t, place.dataDir)
  const daemon = await place.start()
  const source = { backend: 'images', path, fps: 60 } as const
  const { spec } = await daemon.addStream({ id: 'front', source, rewind: { max_bytes: 32 * 1024 * 1024 } })
  await daemon.addStream({ id: 'plain', source })
  const ordered = (id: string, what: string, body?: object) =>
    daemon.send<MediaItem & { code: string; detail: string }>('POST', `/v1/streams/${id}/recording/${what}`, body)
  await until(
    'a second of pictures',
    () => daemon.metrics('front'),
    ({ frames }) => frames >= 60,
  )
  const beforeMs = Date.now()

  const { status, body: item } = await ordered('front', 'start', { only_rewind: true, name: 'Goal' })
  const refused = await ordered('plain', 'start', { rewind: true })
  const ofNothing = await ordered('plain', 'start', { only_rewind: true })

  assert.deepEqual(spec.rewind, { enabled: true, max_bytes: 32 * 1024 * 1024 })
  assert.equal(status, 201)
  assert.equal((await daemon.stream('front', 'live')).status.recording, null)
  assert.deepEqual([item.origin, item.kind, item.state, item.flaw], ['rewind', 'recording', 'ready', null])
  assert.ok(item.frames && item.frames >= 60 && item.duration_ms && item.duration_ms >= 900, `${item.frames} pictures`)
  assert.ok(item.captured_at_ms && item.captured_at_ms <= beforeMs - 900, 'it begins before it was ordered')
  const content = await fetch(`${daemon.url}/v1/media/${item.name}`)
  const saved = join(folderOf(t), item.name)
  writeFileSync(saved, Buffer.from(await content.arrayBuffer()))
  assert.equal(picturesOf(saved).length, item.frames)
  assert.equal(complaintsAbout(saved), '')
  const lines = (await (await fetch(`${daemon.url}/v1/media/${item.name}?as=results`)).text()).trimEnd().split('\n')
  assert.ok(lines.length > 55, `${lines.length} lines`)
  assert.deepEqual([refused.status, refused.body.code], [400, 'body.invalid'])
  assert.deepEqual([ofNothing.status, ofNothing.body.code], [400, 'body.invalid'])
  assert.match(
    refused.body.detail,
    /plain keeps none .* start without rewind, or have the stream keep them .*: give it `rewind` in its manifest$/,
  )
})
