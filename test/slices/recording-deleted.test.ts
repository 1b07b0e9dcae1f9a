// What becomes of a recording whose stream is deleted or started again meanwhile: it is found among the media, whole.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { tagsFile } from '../support/engine/engine-task.ts'
import { complaintsAbout, jpegsOf, noFfmpeg } from '../support/media/boxes.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

const STREAM = '/v1/streams/front'
const START = `${STREAM}/recording/start`
const STOP = `${STREAM}/recording/stop`

/** The items, as soon as none of them is being written any more. */
const settled = async (daemon: Daemon): Promise<readonly MediaItem[]> =>
  until(
    'media that are whole',
    async () => (await daemon.get<{ items: MediaItem[] }>('/v1/media')).items,
    (items) => items.every(({ state }) => state === 'ready'),
  )

const onlyOne = async (daemon: Daemon): Promise<MediaItem> => {
  const items = await settled(daemon)
  assert.equal(items.length, 1, JSON.stringify(items))
  return items[0] as MediaItem
}

/** It has all the pictures that its row names, decodes without complaint, and can be deleted as any other. */
const isWhole = async (t: TestContext, daemon: Daemon, { name, frames }: MediaItem): Promise<void> => {
  const path = join(folderOf(t), name)
  writeFileSync(path, await (await fetch(`${daemon.url}/v1/media/${name}`)).bytes())
  assert.equal(jpegsOf(path).length, frames)
  assert.equal(complaintsAbout(path), '')
  assert.equal((await daemon.send('DELETE', `/v1/media/${name}`)).status, 204)
}

test('a recording is whole, whatever is done to its stream', { skip: noFfmpeg }, async (t) => {
  const place = site(t)
  const { path } = await tagsFile(t, place.dataDir)
  const daemon = await place.start()
  const addStream = () => daemon.addStream({ id: 'front', source: { backend: 'images', path, fps: 30 } })
  const recorded = (frames: number) =>
    until(
      'pictures in the file',
      async () => (await daemon.get<StreamView>(STREAM)).status.recording,
      (recording) => recording?.state === 'recording' && recording.frames >= frames,
    )

  await t.test('its stream is deleted', async (t) => {
    await addStream()
    const begun = await daemon.send<MediaItem>('POST', START)
    await recorded(30)

    const deleted = await daemon.send('DELETE', STREAM)

    assert.equal(deleted.status, 204)
    const item = await onlyOne(daemon)
    assert.deepEqual([item.name, item.flaw], [begun.body.name, null])
    assert.ok((item.frames ?? 0) >= 30)
    await isWhole(t, daemon, item)
  })

  await t.test('its stream is deleted while it is being stopped', async (t) => {
    await addStream()
    await daemon.send('POST', START)
    await recorded(1)

    const [, deleted] = await Promise.all([daemon.send('POST', STOP), daemon.send('DELETE', STREAM)])

    assert.equal(deleted.status, 204)
    const item = await onlyOne(daemon)
    assert.equal(item.flaw, null)
    await isWhole(t, daemon, item)
  })

  await t.test('its stream is deleted while it is being begun: it is whole, or there is none', async (t) => {
    await addStream()

    const [begun, deleted] = await Promise.all([daemon.send('POST', START), daemon.send('DELETE', STREAM)])

    assert.equal(deleted.status, 204)
    const items = await settled(daemon)
    assert.ok(items.length <= 1 && (begun.status !== 201 || items.length === 1), JSON.stringify([begun, items]))
    for (const item of items) await isWhole(t, daemon, item)
  })

  await t.test('its stream is started anew: it goes on in another file', async (t) => {
    await addStream()
    const { body: first } = await daemon.send<MediaItem>('POST', START)
    await recorded(30)

    await daemon.send('POST', `${STREAM}/restart`)
    await until(
      'the next file',
      async () => (await daemon.get<StreamView>(STREAM)).status.recording,
      (recording) => recording?.earlier.includes(first.name) && recording.state === 'recording' && recording.frames > 0,
    )
    await daemon.send('DELETE', STREAM)

    const items = await settled(daemon)
    assert.deepEqual(
      items.map(({ flaw }) => flaw),
      [null, null],
    )
    for (const item of items) await isWhole(t, daemon, item)
  })
})
