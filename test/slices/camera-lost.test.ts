// A camera that is not there yet, and one that gives a broken picture now and then.
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isJpeg } from '../support/api/preview.ts'
import { emptyPng, grayPng } from '../support/media/png.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

test('a folder of pictures is waited for, and a broken picture in it stops nothing', async (t) => {
  const { dataDir, start } = site(t)
  const daemon = await start()
  const folder = join(dataDir, 'pictures')
  const pictures = await takePictures(daemon)

  await daemon.send('POST', '/v1/streams', { id: 'folder', source: { backend: 'images', path: folder, fps: 40 } })
  const { status } = await daemon.stream('folder', 'backing-off')
  assert.equal(status.fault?.code, 'camera.missing')
  assert.ok(status.fault?.detail.includes(folder))
  assert.equal((await daemon.error('camera.missing', 'streams/folder')).count, 1)

  const [good, another, cut] = pictures as [Buffer, Buffer, Buffer]
  appear(folder, {
    '1.jpg': good,
    '2.jpg': Buffer.from('not a picture at all'),
    '3.jpg': another,
    '4.jpg': cut.subarray(0, cut.length / 2),
    '5.jpg': damaged(good),
  })
  const live = await daemon.stream('folder', 'live')
  assert.deepEqual([live.status.fault, live.status.restarts], [null, 0])

  const { detail } = await daemon.error('picture.corrupt', 'streams/folder', ({ count }) => count >= 3)
  assert.match(detail, /[245]\.jpg/)
  const { frames } = await daemon.metrics('folder')
  const later = await until(
    'frames',
    () => daemon.metrics('folder'),
    (now) => now.frames > frames + 5,
  )
  assert.deepEqual([later.state, later.restarts], ['live', 0])
  const shown = await daemon.picture('folder')
  assert.ok(shown.equals(good) || shown.equals(another), 'a good picture goes out as it is')
})

test('pictures that cannot be decoded are a warning of a live stream, and its fault when none are good', async (t) => {
  const { dataDir, start } = site(t)
  const daemon = await start()
  const [some, none] = [join(dataDir, 'some'), join(dataDir, 'none')]
  appear(some, { '1.png': grayPng(64, 48), '2.png': emptyPng(64, 48), '3.png': grayPng(80, 48) })
  appear(none, { '1.png': emptyPng(64, 48), '2.png': emptyPng(64, 48) })

  await daemon.addStream({ id: 'some', source: { backend: 'images', path: some, fps: 30 } })
  await daemon.send('POST', '/v1/streams', { id: 'none', source: { backend: 'images', path: none, fps: 30 } })
  const { status } = await until(
    'both warnings',
    () => daemon.stream('some', 'live'),
    ({ status }) => status.warnings.length === 2,
  )
  const dark = await daemon.stream('none', 'backing-off')

  const [codes, details] = [status.warnings.map(({ code }) => code), status.warnings.map(({ detail }) => detail).join()]
  assert.deepEqual(codes.sort(), ['picture.corrupt', 'picture.other_size'])
  assert.match(details, /2\.png: the picture cannot be decoded/)
  assert.match(details, /3\.png has 80x48 pixels, the first picture 64x48/)
  assert.equal(dark.status.fault?.code, 'camera.unreadable')
  assert.match(
    dark.status.fault?.detail ?? '',
    /none of the 2 pictures can be used; the last: .*\d\.png: the picture cannot/,
  )
  assert.equal(dark.status.restarts, 0)
})

/** Three pictures of the synthetic camera. */
const takePictures = async (daemon: Daemon): Promise<Buffer[]> => {
  await daemon.addStream({ id: 'maker', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } })
  const pictures: Buffer[] = []
  for (const _ of [1, 2, 3]) {
    const picture = await daemon.picture('maker')
    assert.ok(isJpeg(picture))
    pictures.push(picture)
  }
  await daemon.send('DELETE', '/v1/streams/maker')
  return pictures
}

/** All files are there at once. */
const appear = (folder: string, files: Readonly<Record<string, Uint8Array>>): void => {
  mkdirSync(`${folder}-to-be`)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(`${folder}-to-be`, name), bytes)
  renameSync(`${folder}-to-be`, folder)
}

/** Whole, but what is in it makes no sense. */
const damaged = (jpeg: Buffer): Buffer => {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  return Buffer.concat([jpeg.subarray(0, scan + 2), Buffer.alloc(200, 0xaa), Buffer.from([0xff, 0xd9])])
}
