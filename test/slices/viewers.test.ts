// Viewers of a stream over plain HTTP: an engine writes to them, they stay connected whatever becomes of the engine,
// and when they leave nothing is left of them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MAX_VIEWERS } from '../../machines/viewers/viewer-places.ts'
import { type ShownPicture, viewer } from '../support/api/preview.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { type Daemon, isRunning, type StreamMetrics, site, temporaryFolder } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { killTwoEngines } from '../support/processes/killed-engines.ts'
import { arrival, until } from '../support/until.ts'

/** A picture of a synthetic camera, in a file that streams may read. */
const pictureFile = async (t: Lifetime, daemon: Daemon) => {
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10, noise: 64 } as const
  await daemon.addStream({ id: 'maker', source })
  const jpeg = await daemon.picture('maker')
  await daemon.send('DELETE', '/v1/streams/maker')
  const path = join(folder, 'one.jpg')
  writeFileSync(path, jpeg)
  return { jpeg, path, folder }
}

const whereAre = (daemon: Daemon, id: string, what: string, isSo: (metrics: StreamMetrics) => boolean) =>
  until(what, () => daemon.metrics(id), isSo)

/** What a process has read, from wherever. */
const bytesReadBy = (pid: number): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Asks for a preview and for something else at once, or in whatever bytes. */
const ask = (
  t: TestContext,
  daemon: Daemon,
  bytes: string,
): { readonly socket: Socket; readonly text: () => string } => {
  const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.write(bytes)
  return { socket, text: () => text }
}

const requestOf = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

const reaches = (shown: readonly unknown[], count: number) =>
  until(
    `picture ${count}`,
    () => shown.length,
    (length) => length >= count,
  )

/** One service for all tests of this file, which looks for pictures in one folder; it answers over TLS as well. */
const begun = async (t: Lifetime) => {
  const place = site(t)
  const first = await place.start()
  const picture = await pictureFile(t, first)
  await first.end('SIGTERM')
  const tlsPort = await freePort()
  const daemon = await place.start({ 'media-roots': picture.folder, tls: `127.0.0.1:${tlsPort}` })
  return { ...picture, tlsPort, daemon }
}

const { jpeg, path, folder, tlsPort, daemon } = await begun(fileLifetime())
const add = (id: string) => daemon.addStream({ id, internal: true, source: { backend: 'images', path, fps: 30 } })
const previewOf = (id: string): string => `${daemon.url}/v1/streams/${id}/preview`

test("every viewer gets the camera's own bytes, and they do not pass through the service's process", async (t) => {
  await add('bytes')
  const watching = await Promise.all([1, 2, 3].map(() => viewer(t, previewOf('bytes'))))
  await whereAre(daemon, 'bytes', 'all with the engine', (metrics) => metrics.viewers_of_engine === 3)
  const { frames } = await daemon.metrics('bytes')
  const [from, before] = [watching.map(({ shown }) => shown.length), bytesReadBy(daemon.pid)]

  for (const [n, { shown }] of watching.entries()) await reaches(shown, (from[n] ?? 0) + 30)

  assert.ok(watching.every(({ shown }) => shown.every((part) => part.isPlaceholder || part.jpeg.equals(jpeg))))
  const read = bytesReadBy(daemon.pid) - before
  const after = await daemon.metrics('bytes')
  const came = after.frames - frames
  assert.ok(read < (came * jpeg.length) / 2, `${read} bytes were read while ${came} pictures of ${jpeg.length} came`)
  assert.equal(after.viewers, 3)
})

test('one picture and a preview over TLS have the same bytes, from the service', async (t) => {
  const { shown } = await viewer(t, `https://127.0.0.1:${tlsPort}/v1/streams/bytes/preview`)

  await reaches(shown, 5)

  assert.ok(shown.every((part) => part.jpeg.equals(jpeg)))
  assert.deepEqual(await daemon.picture('bytes'), jpeg)
  const isHere = ({ viewers, viewers_of_engine }: StreamMetrics) => viewers === 1 && viewers_of_engine === 0
  await whereAre(daemon, 'bytes', 'him with the service, and those of before gone', isHere)
})

test('no viewer loses its connection or its place when an engine is killed', async (t) => {
  await add('killed')
  const watching = await Promise.all(Array.from({ length: 8 }, () => viewer(t, previewOf('killed'))))
  const slow = await viewer(t, previewOf('killed'))
  await whereAre(daemon, 'killed', 'all with the engine', (metrics) => metrics.viewers_of_engine === 9)
  for (const { shown } of watching) await reaches(shown, 3)
  slow.response.pause()

  await killTwoEngines(daemon, 'killed')
  await whereAre(daemon, 'killed', 'a third engine', (metrics) => metrics.restarts === 2 && metrics.state === 'live')
  slow.response.resume()
  const from = watching.map(({ shown }) => shown.length)
  for (const [n, { shown }] of watching.entries()) await reaches(shown, (from[n] ?? 0) + 10)

  assert.ok(watching.every(({ isOpen }) => isOpen()))
  await whereAre(daemon, 'killed', 'all with the next engine', (metrics) => metrics.viewers_of_engine === 9)
  assert.ok(watching.every(({ shown }) => shown.some(({ isPlaceholder }) => isPlaceholder)))
  const whole = ({ jpeg: seen, isPlaceholder }: ShownPicture) => isPlaceholder || seen.equals(jpeg)
  for (const { shown } of watching) assert.ok(shown.filter((part) => !whole(part)).length <= 2) // cut by either kill
})

test('a viewer of a missing camera is told so in a picture, and sees it come', async (t) => {
  const [away, here] = [join(folder, 'away.jpg'), join(folder, 'placeholder.jpg')]
  await daemon.send('POST', '/v1/streams', { id: 'away', internal: true, source: { backend: 'images', path: away } })
  await daemon.stream('away', 'backing-off')
  const { shown, isOpen } = await viewer(t, previewOf('away'))
  await whereAre(daemon, 'away', 'him with the engine', (metrics) => metrics.viewers_of_engine === 1)
  await reaches(shown, 4)
  const [placeholder] = shown.slice(-1) as [ShownPicture]

  copyFileSync(path, away)
  await until('pictures', () => shown.some(({ jpeg: seen }) => seen.equals(jpeg)))
  writeFileSync(here, placeholder.jpeg)
  await daemon.addStream({ id: 'words', internal: true, source: { backend: 'images', path: here } })

  assert.ok(placeholder.isPlaceholder && isOpen())
  const { status } = await daemon.stream('words', 'live')
  assert.deepEqual([status.width_px, status.height_px, status.warnings], [1280, 720, []])
})

test('a viewer that leaves, whichever way, is not counted any more', async (t) => {
  await add('leaving')
  const watching = await Promise.all([1, 2, 3].map(() => viewer(t, previewOf('leaving'))))
  await whereAre(daemon, 'leaving', 'all with the engine', (metrics) => metrics.viewers_of_engine === 3)
  const [closed, halfClosed, reset] = watching.map(({ response }) => response.socket)

  closed?.destroy()
  halfClosed?.end()
  reset?.resetAndDestroy()

  await whereAre(daemon, 'leaving', 'nobody', ({ viewers, viewers_of_engine }) => viewers + viewers_of_engine === 0)
})

test('a request sent behind a preview is not carried out, and ends the preview', async (t) => {
  await add('asked')
  const preview = requestOf('GET', '/v1/streams/asked/preview')
  const { socket, text } = ask(t, daemon, preview)
  await until('a picture', () => text().includes('X-Sequence'))
  await whereAre(daemon, 'asked', 'him with the engine', (metrics) => metrics.viewers_of_engine === 1)

  socket.write(requestOf('DELETE', '/v1/streams/asked'))

  await arrival('the end', once(socket, 'close'))
  await whereAre(daemon, 'asked', 'nobody', ({ viewers }) => viewers === 0)
  assert.equal((await daemon.stream('asked', 'live')).id, 'asked')
  assert.equal(text().match(/HTTP\/1\.1/g)?.length, 1)
})

test('viewers beyond the limit are refused, and as many as may be get pictures', async (t) => {
  await add('crowded')
  const crowd = await Promise.all(Array.from({ length: MAX_VIEWERS }, () => viewer(t, `${previewOf('crowded')}?fps=5`)))

  const { status, body } = await daemon.send<{ code: string }>('GET', '/v1/streams/crowded/preview')

  assert.equal(body.code, 'viewer.too_many', String(status))
  for (const { shown } of crowd) await reaches(shown, 2)
  for (const { response } of crowd) response.destroy()
  await whereAre(daemon, 'crowded', 'nobody', ({ viewers }) => viewers === 0)
})

test('viewers go when their stream is deleted', async (t) => {
  await add('deleted')
  const { shown, isOpen } = await viewer(t, previewOf('deleted'))
  await reaches(shown, 1)

  await daemon.send('DELETE', '/v1/streams/deleted')

  await until('the end', () => !isOpen())
})

test('the service stops although somebody watches, and leaves nothing behind', async (t) => {
  const pids: number[] = []
  for (const id of ['bytes', 'killed']) pids.push((await daemon.metrics(id)).engine_pid as number)
  const [watching, asleep] = [await viewer(t, previewOf('bytes')), await viewer(t, previewOf('bytes'))]
  await whereAre(daemon, 'bytes', 'both with the engine', (metrics) => metrics.viewers_of_engine === 2)
  asleep.response.pause()

  const { code } = await daemon.end('SIGTERM')

  assert.equal(code, 0)
  assert.deepEqual(pids.filter(isRunning), [])
  await until('the end', () => !watching.isOpen())
})
