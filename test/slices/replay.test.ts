// A recording is a source: played again through the same pipeline it gives the same results. And what becomes of it
// while a stream plays it.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import type { SidecarRecord } from '../../machines/recording/sidecar.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { startEngine } from '../support/engine/engine-task.ts'
import { jpegsOf, noFfmpeg, picturesOf } from '../support/media/boxes.ts'
import { grayPng } from '../support/media/png.ts'
import { type Daemon, type Site, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const FRAMES = 40
const SIZE = { width_px: 640, height_px: 400 }

/** What both streams have, besides their source. */
const equipment: Partial<StreamManifest> = {
  intrinsics: { ...SIZE, fx_px: 416, fy_px: 416, cx_px: 320, cy_px: 200, distortion: [] },
  pose: { x_m: 0.2, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
}

/** Pictures that a robot sees on its way, each another one, as files. */
const filmed = async (t: TestContext, folder: string): Promise<void> => {
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'synthetic', ...SIZE, fps: 60, motion: 'orbit', speed_m_s: 3 } })
  camera.engine.setPictureKinds([{ key: 'a', max_width_px: 0, quality: 90, overlay: false, fps: 0 }])
  mkdirSync(folder)
  for (let n = 0; n < 20; n++) writeFileSync(join(folder, `${n + 10}.jpg`), (await camera.nextPicture()).jpeg)
  await camera.release()
}

const recorded = async (daemon: Daemon, id: string, frames: number, name: string): Promise<MediaItem> => {
  const begun = await daemon.send<MediaItem>('POST', `/v1/streams/${id}/recording/start`, { name })
  assert.equal(begun.status, 201)
  const read = () => daemon.get<{ status: { recording: { frames: number } | null } }>(`/v1/streams/${id}`)
  await until(`${frames} frames`, read, ({ status }) => (status.recording?.frames ?? 0) >= frames)
  assert.equal((await daemon.send('POST', `/v1/streams/${id}/recording/stop`)).status, 204)
  return daemon.get<MediaItem>(`/v1/media/${begun.body.name}/metadata`)
}

const resultsOf = async (daemon: Daemon, { name }: MediaItem): Promise<readonly SidecarRecord[]> =>
  (await (await fetch(`${daemon.url}/v1/media/${name}?as=results`)).text())
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as SidecarRecord)

/** A service with a recording of a match. */
const withRecording = async (t: TestContext) => {
  const place = site(t)
  const folder = join(place.dataDir, 'pictures')
  await filmed(t, folder)
  const daemon = await place.start()
  await daemon.addStream({ id: 'front', source: { backend: 'images', path: folder, fps: 60 }, ...equipment })
  const match = await recorded(daemon, 'front', FRAMES, 'match')
  await daemon.send('DELETE', '/v1/streams/front')
  return { place, daemon, match, fileOf: ({ name }: MediaItem) => fileOf(place, name) }
}

const fileOf = ({ dataDir }: Site, name: string): string => join(dataDir, 'media', name)

const sameSight = ({ width_px, height_px, outputs }: SidecarRecord) => ({ width_px, height_px, outputs })

test('a recording that is played gives the same results, record for record, and the same bytes', {
  skip: noFfmpeg,
}, async (t) => {
  const { daemon, match, fileOf } = await withRecording(t)
  const source = { backend: 'file', media: match.name, pace: 'fast' } as const

  await daemon.addStream({ id: 'replay', source: { ...source, loop: true }, ...equipment })
  const again = await recorded(daemon, 'replay', 2 * (match.frames ?? 0) + 5, 'again')
  await daemon.send('DELETE', '/v1/streams/replay')
  await daemon.send('POST', '/v1/streams', { id: 'once', source: { ...source, loop: false }, ...equipment })
  await daemon.stream('once', 'ended')
  const { frames, skipped } = await daemon.metrics('once')

  const times = picturesOf(fileOf(match))
  const [before, after] = [await resultsOf(daemon, match), await resultsOf(daemon, again)]
  assert.deepEqual({ frames, skipped }, { frames: times.length, skipped: 0 })
  const first = after[0]?.seq as number
  assert.deepEqual(
    after.map(({ seq }) => seq),
    after.map((_, n) => first + n),
    'none is left out',
  )
  const ofPlace = new Map(after.map((record) => [record.seq % times.length, record]))
  assert.ok(before.length > 0 && before.some(({ outputs }) => (outputs.pose?.length ?? 0) > 0))
  for (const record of before) {
    const place = times.indexOf(record.pts_us)
    assert.deepEqual(sameSight(ofPlace.get(place) as SidecarRecord), sameSight(record), `picture ${place}`)
  }
  for (const [n, { seq, pts_us }] of after.entries()) {
    const place = seq % times.length
    if (n > 0 && place > 0)
      assert.equal(pts_us - (after[n - 1]?.pts_us as number), (times[place] as number) - (times[place - 1] as number))
  }
  const jpegs = jpegsOf(fileOf(match))
  for (const [n, jpeg] of jpegsOf(fileOf(again)).entries())
    assert.ok(jpeg.equals(jpegs[(first + n) % jpegs.length] as Buffer), `picture ${n}`)
})

test('only what is a whole recording can be played, and what is played stays', { skip: noFfmpeg }, async (t) => {
  const { daemon, match, fileOf } = await withRecording(t)
  const picture = await fetch(`${daemon.url}/v1/media?name=still`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: grayPng(64, 48),
  })
  const { name: still } = (await picture.json()) as MediaItem
  await daemon.addStream({ id: 'live', source: { backend: 'synthetic', ...SIZE, fps: 10 } })
  const { body: writing } = await daemon.send<MediaItem>('POST', '/v1/streams/live/recording/start')
  const tried = (source: object) =>
    daemon.send<{ errors: object[] }>('POST', '/v1/streams', { id: 'x', source: { backend: 'file', ...source } })
  const refused: readonly (readonly [source: object, pointer: string, why: RegExp])[] = [
    [{ media: 'nothing.mp4' }, '/source/media', /there is no such media item/],
    [{ media: '../vedette.db' }, '/source/media', /there is no such media item/],
    [{ media: still }, '/source/media', /which is a picture; name a recording/],
    [{ media: writing.name }, '/source/media', /still being written/],
    [{}, '/source/media', /is missing; name a recording/],
    [{ media: match.name, path: fileOf(match) }, '/source/path', /say one of them/],
    [{ path: 'match.mp4' }, '/source/path', /must be an absolute path/],
    [
      { path: join(fileOf(match), '../../secret.mp4').replace('/secret', '/../secret') },
      '/source/path',
      /not inside a folder that streams may read|must not go back/,
    ],
    [{ path: '/etc/passwd' }, '/source/path', /not inside a folder that streams may read/],
  ]

  for (const [source, pointer, why] of refused) {
    const { status, body } = await tried(source)
    assert.equal(status, 422, JSON.stringify(source))
    assert.equal((body.errors[0] as { pointer: string }).pointer, pointer)
    assert.match((body.errors[0] as { message: string }).message, why)
  }
  await daemon.addStream({ id: 'replay', source: { backend: 'file', media: match.name, loop: true } })
  await daemon.addStream({ id: 'path', source: { backend: 'file', path: fileOf(match), loop: true } })
  const kept = await daemon.send<{ code: string; detail: string }>('DELETE', `/v1/media/${match.name}`)
  assert.deepEqual([kept.status, kept.body.code], [409, 'media.in_use'])
  assert.match(kept.body.detail, /the stream replay plays match\.mp4; delete that stream first/)

  rmSync(fileOf(match)) // as somebody with a shell does
  await daemon.send('POST', '/v1/streams/path/restart')
  const { status } = await daemon.stream('path', 'backing-off')
  assert.equal(status.fault?.code, 'camera.missing')
  await daemon.stream('replay', 'live')
  await daemon.send('DELETE', '/v1/streams/replay')
  const byPath = await daemon.send<{ detail: string }>('DELETE', `/v1/media/${match.name}`)
  assert.equal(byPath.status, 409)
  assert.match(byPath.body.detail, /the stream path plays match\.mp4/)
  await daemon.send('DELETE', '/v1/streams/path')
  assert.equal((await daemon.send('DELETE', `/v1/media/${match.name}`)).status, 204)
})
