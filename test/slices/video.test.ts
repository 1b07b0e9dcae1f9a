// H.264 of a stream: for those who watch, and in a file. It is encoded while somebody wants it, and no longer.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import { isJpeg } from '../support/api/preview.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { boxesOf, complaintsAbout, noFfmpeg, picturesOf, probed } from '../support/media/boxes.ts'
import { type VideoViewer, videoViewer } from '../support/media/video-packets.ts'
import type { Daemon } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { freePort } from '../support/processes/free-port.ts'
import { killTwoEngines } from '../support/processes/killed-engines.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

const shows = (viewer: VideoViewer, count: number) =>
  until(
    `${count} packets`,
    () => viewer.packets(),
    (packets) => packets.filter(({ isPlaceholder }) => !isPlaceholder).length >= count,
  )

const engineOf = async (daemon: Daemon, id: string): Promise<number> => (await daemon.metrics(id)).engine_pid as number

/** The names of those that are still there when they are asked. */
const threadsOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return [readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').trim()]
    } catch {
      return []
    }
  })

const saved = async (t: TestContext, daemon: Daemon, name: string): Promise<string> => {
  const path = join(folderOf(t), name)
  writeFileSync(path, Buffer.from(await (await fetch(`${daemon.url}/v1/media/${name}`)).arrayBuffer()))
  return path
}

/** Into how many parts pictures fall, of which each but the last takes half a second or until its next picture. */
const halvesIn = (timesUs: readonly number[]): number => {
  let [count, from] = [0, Number.NEGATIVE_INFINITY]
  for (const us of timesUs) {
    if (us - from < 500_000) continue
    count += 1
    from = us
  }
  return count
}

/** One service for all tests of this file, also over TLS: its stream `front` keeps the last pictures. */
const begun = async (t: Lifetime) => {
  const tlsPort = await freePort()
  const flags = { tls: `127.0.0.1:${tlsPort}` }
  const { daemon } = await tagsDaemon(t, { flags, manifest: { internal: true, rewind: {} } })
  return { daemon, tlsPort }
}

const { daemon, tlsPort } = await begun(fileLifetime())
const videoOf = (id: string, url = daemon.url) => `${url}/v1/streams/${id}/preview?codec=h264`
const record = (what: string, body?: object) =>
  daemon.send<MediaItem>('POST', `/v1/streams/front/recording/${what}`, body)

test('packets of H.264 decode to as many pictures, in the order of their capture', {
  skip: noFfmpeg,
}, async (t) => {
  const pid = await engineOf(daemon, 'front')
  const loadedBefore = readFileSync(`/proc/${pid}/maps`, 'utf8').includes('libavcodec')
  const first = await videoViewer(t, videoOf('front'))
  await shows(first, 40)
  const late = await videoViewer(t, videoOf('front'))
  const overTls = await videoViewer(t, videoOf('front', `https://127.0.0.1:${tlsPort}`))
  const packets = await shows(first, 60)
  await Promise.all([shows(late, 5), shows(overTls, 5)])

  const video = join(folderOf(t), 'video.h264')
  writeFileSync(video, Buffer.concat(packets.map(({ payload }) => payload)))
  const times = packets.map(({ timeUs }) => timeUs)
  assert.equal(loadedBefore, false)
  assert.equal(first.response.headers['content-type'], 'application/vnd.vedette.h264-packets')
  assert.equal(
    probed(video, 'stream=codec_name,width,height,pix_fmt,nb_read_frames'),
    `h264,640,400,yuv420p,${packets.length}`,
  )
  assert.equal(complaintsAbout(video), '')
  assert.ok(times.every((time, n) => n === 0 || time > (times[n - 1] as bigint)))
  assert.ok(Math.abs(Number((times.at(-1) as bigint) / 1000n) - Date.now()) < 20_000)
  assert.ok(packets.every(({ isKey, hasConfiguration }) => isKey === hasConfiguration))
  for (const { packets: seen } of [first, late, overTls])
    assert.deepEqual([seen()[0]?.isKey, seen()[0]?.isPlaceholder], [true, false])
  assert.ok(threadsOf(pid).includes('video'))
  assert.equal((await daemon.metrics('front')).viewers, 3)
  for (const viewer of [first, late, overTls]) viewer.leave()
  await until(
    'the end of the encoding',
    () => threadsOf(pid),
    (threads) => !threads.includes('video'),
  )
})

test('a viewer outlives the engine: it is told why nothing comes, then begins again with a key', {
  skip: noFfmpeg,
}, async (t) => {
  const viewer = await videoViewer(t, videoOf('front'))
  await shows(viewer, 5)

  await killTwoEngines(daemon, 'front')
  const packets = await until(
    'a key after a placeholder',
    () => viewer.packets(),
    (seen) =>
      seen
        .slice(seen.findIndex(({ isPlaceholder }) => isPlaceholder))
        .some(({ isKey }) => isKey && seen.some(({ isPlaceholder }) => isPlaceholder)),
  )

  const placeholder = packets.findIndex(({ isPlaceholder }) => isPlaceholder)
  const next = packets.slice(placeholder).find(({ isPlaceholder }) => !isPlaceholder)
  assert.ok(isJpeg(packets[placeholder]?.payload ?? Buffer.alloc(0)))
  assert.ok(next?.isKey && next.timeUs > (packets[0]?.timeUs as bigint))
  assert.ok(viewer.isOpen())
  await daemon.stream('front', 'live')
})

test('a recording is H.264 on request, with what was kept before it', {
  skip: noFfmpeg,
}, async (t) => {
  const { status, body } = await record('start', { codec: 'h264', rewind: true })
  await until(
    'pictures in the file',
    async () => (await daemon.get<{ status: { recording: { frames: number } } }>('/v1/streams/front')).status,
    ({ recording }) => recording?.frames >= 45,
  )
  const ended = await record('stop')

  const item = await daemon.get<MediaItem>(`/v1/media/${body.name}/metadata`)
  const file = await saved(t, daemon, body.name)
  assert.deepEqual([status, ended.status, item.flaw], [201, 204, null])
  assert.equal(
    probed(file, 'stream=codec_name,codec_tag_string,pix_fmt,nb_read_frames'),
    `h264,avc1,yuv420p,${item.frames}`,
  )
  assert.equal(complaintsAbout(file), '')
  const fragments = boxesOf(file).filter(({ type }) => type === 'moof').length
  const times = picturesOf(file)
  const least = halvesIn(times) - 2
  assert.ok(fragments >= least, `${fragments} fragments, at least ${least} are to be`)
  const asPictures = await daemon.send<{ code: string }>('GET', `/v1/media/${body.name}?as=multipart`)
  assert.deepEqual([asPictures.status, asPictures.body.code], [406, 'media.no_pictures'])
})

test('an engine that is killed leaves a file of H.264 that plays', { skip: noFfmpeg }, async (t) => {
  const { body } = await record('start', { codec: 'h264' })
  await until(
    'two seconds',
    async () => (await daemon.get<{ status: { recording: { duration_ms: number } } }>('/v1/streams/front')).status,
    ({ recording }) => recording?.duration_ms >= 1500,
  )

  process.kill(await engineOf(daemon, 'front'), 'SIGKILL')
  const item = await until(
    'the item',
    () => daemon.get<MediaItem>(`/v1/media/${body.name}/metadata`),
    ({ state }) => state === 'ready',
  )
  await record('stop')

  const file = await saved(t, daemon, body.name)
  assert.equal(item.flaw, 'truncated')
  assert.equal(complaintsAbout(file), '')
  assert.ok((picturesOf(file).at(-1) ?? 0) >= 500_000)
})

test('an unknown codec is refused with 400, an unknown stream with 404', { skip: noFfmpeg }, async () => {
  const other = await daemon.send<{ code: string }>('GET', '/v1/streams/front/preview?codec=vp9')
  const none = await daemon.send<{ code: string }>('GET', '/v1/streams/none/preview?codec=h264')
  const head = await fetch(videoOf('front'), { method: 'HEAD' })

  assert.deepEqual([other.status, none.status], [400, 404])
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/vnd.vedette.h264-packets'])
})

test('a packet that says when its frame was captured is found among the results', { skip: noFfmpeg }, async (t) => {
  const viewer = await videoViewer(t, `${videoOf('front')}&captured=true`)
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/v1/results?streams=front&outputs=tags&rate=240`)
  t.after(() => socket.close())
  const found = new Set<number>()
  socket.addEventListener('message', ({ data }) => found.add(JSON.parse(data).captured_us))
  await until('results', () => found.size > 0)
  const [first = 0] = found
  const later = () => viewer.packets().filter(({ capturedUs }) => (capturedUs ?? 0) > first)
  const isFound = ({ capturedUs }: { readonly capturedUs: number | null }) => found.has(capturedUs ?? 0)

  // the result of a frame may be skipped on its way where the machine is busy, so some packets have none
  await until('packets whose results came', () => later().filter(isFound).length >= 8)

  const told = later()
  assert.ok(told.every(({ timeUs, capturedUs }) => timeUs > BigInt(capturedUs ?? 0)))
})
