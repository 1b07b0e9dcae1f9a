// Who watches a stream over plain HTTP: an engine writes to him, whatever becomes of the engine he stays connected, and when he leaves nothing is left of him.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MAX_VIEWERS } from '../../machines/viewers/viewer-places.ts'
import { type ShownPicture, viewer } from '../support/api/preview.ts'
import { type Daemon, isRunning, type StreamMetrics, site, temporaryFolder } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { arrival, until } from '../support/until.ts'

/** A picture of a synthetic camera, in a file that streams may read. */
const pictureFile = async (t: TestContext, daemon: Daemon) => {
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

test('pictures go from the engine to its viewers, who outlive it', async (t) => {
  const place = site(t)
  const first = await place.start()
  const { jpeg, path, folder } = await pictureFile(t, first)
  await first.end('SIGTERM')
  const tlsPort = await freePort()
  const daemon = await place.start({ 'media-roots': folder, tls: `127.0.0.1:${tlsPort}` })
  const add = (id: string) => daemon.addStream({ id, internal: true, source: { backend: 'images', path, fps: 30 } })
  const previewOf = (id: string): string => `${daemon.url}/v1/streams/${id}/preview`

  await t.test(
    "every viewer gets the camera's own bytes, and they do not pass through the service's process",
    async (step) => {
      await add('bytes')
      const watching = await Promise.all([1, 2, 3].map(() => viewer(step, previewOf('bytes'))))
      await whereAre(daemon, 'bytes', 'all with the engine', (metrics) => metrics.viewers_of_engine === 3)
      const [from, before] = [watching.map(({ shown }) => shown.length), bytesReadBy(daemon.pid)]

      for (const [n, { shown }] of watching.entries()) await reaches(shown, (from[n] ?? 0) + 30)

      assert.ok(watching.every(({ shown }) => shown.every((part) => part.isPlaceholder || part.jpeg.equals(jpeg))))
      const read = bytesReadBy(daemon.pid) - before
      assert.ok(read < 15 * jpeg.length, `${read} bytes were read while 90 pictures of ${jpeg.length} were shown`)
      assert.equal((await daemon.metrics('bytes')).viewers, 3)
    },
  )

  await t.test('who wants one picture, or watches over TLS, gets the same bytes from the service', async (step) => {
    const { shown } = await viewer(step, `https://127.0.0.1:${tlsPort}/v1/streams/bytes/preview`)

    await reaches(shown, 5)

    assert.ok(shown.every((part) => part.jpeg.equals(jpeg)))
    assert.deepEqual(await daemon.picture('bytes'), jpeg)
    assert.equal((await daemon.metrics('bytes')).viewers_of_engine, 0)
  })

  await t.test('an engine that is killed takes no viewer along, and none of them loses his place', async (step) => {
    await add('killed')
    const watching = await Promise.all(Array.from({ length: 8 }, () => viewer(step, previewOf('killed'))))
    const slow = await viewer(step, previewOf('killed'))
    await whereAre(daemon, 'killed', 'all with the engine', (metrics) => metrics.viewers_of_engine === 9)
    for (const { shown } of watching) await reaches(shown, 3)
    slow.response.pause()

    process.kill((await daemon.metrics('killed')).engine_pid as number, 'SIGKILL')
    await whereAre(daemon, 'killed', 'another engine', (metrics) => metrics.restarts === 1 && metrics.state === 'live')
    slow.response.resume()
    const from = watching.map(({ shown }) => shown.length)
    for (const [n, { shown }] of watching.entries()) await reaches(shown, (from[n] ?? 0) + 10)

    assert.ok(watching.every(({ isOpen }) => isOpen()))
    await whereAre(daemon, 'killed', 'all with the next engine', (metrics) => metrics.viewers_of_engine === 9)
    assert.ok(watching.every(({ shown }) => shown.some(({ isPlaceholder }) => isPlaceholder)))
    const whole = ({ jpeg: seen, isPlaceholder }: ShownPicture) => isPlaceholder || seen.equals(jpeg)
    for (const { shown } of watching) assert.ok(shown.filter((part) => !whole(part)).length <= 1) // that which was cut
  })

  await t.test('who watches a camera that is not there is told so in a picture, and sees it come', async (step) => {
    const [away, here] = [join(folder, 'away.jpg'), join(folder, 'placeholder.jpg')]
    await daemon.send('POST', '/v1/streams', { id: 'away', internal: true, source: { backend: 'images', path: away } })
    await daemon.stream('away', 'backing-off')
    const { shown, isOpen } = await viewer(step, previewOf('away'))
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

  await t.test('who leaves, whichever way, is no viewer any more', async (step) => {
    await add('leaving')
    const watching = await Promise.all([1, 2, 3].map(() => viewer(step, previewOf('leaving'))))
    await whereAre(daemon, 'leaving', 'all with the engine', (metrics) => metrics.viewers_of_engine === 3)
    const [closed, halfClosed, reset] = watching.map(({ response }) => response.socket)

    closed?.destroy()
    halfClosed?.end()
    reset?.resetAndDestroy()

    await whereAre(daemon, 'leaving', 'nobody', ({ viewers, viewers_of_engine }) => viewers + viewers_of_engine === 0)
  })

  await t.test('what is asked behind a preview is not done, and ends it', async (step) => {
    await add('asked')
    const preview = requestOf('GET', '/v1/streams/asked/preview')
    const { socket, text } = ask(step, daemon, preview)
    await until('a picture', () => text().includes('X-Sequence'))
    await whereAre(daemon, 'asked', 'him with the engine', (metrics) => metrics.viewers_of_engine === 1)

    socket.write(requestOf('DELETE', '/v1/streams/asked'))

    await arrival('the end', once(socket, 'close'))
    await whereAre(daemon, 'asked', 'nobody', ({ viewers }) => viewers === 0)
    assert.equal((await daemon.stream('asked', 'live')).id, 'asked')
    assert.equal(text().match(/HTTP\/1\.1/g)?.length, 1)
  })

  await t.test('viewers beyond the limit are refused, and as many as may be get pictures', async (step) => {
    await add('crowded')
    const crowd = await Promise.all(
      Array.from({ length: MAX_VIEWERS }, () => viewer(step, `${previewOf('crowded')}?fps=5`)),
    )

    const { status, body } = await daemon.send<{ code: string }>('GET', '/v1/streams/crowded/preview')

    assert.equal(body.code, 'viewer.too_many', String(status))
    for (const { shown } of crowd) await reaches(shown, 2)
    for (const { response } of crowd) response.destroy()
    await whereAre(daemon, 'crowded', 'nobody', ({ viewers }) => viewers === 0)
  })

  await t.test('viewers go when their stream is deleted', async (step) => {
    await add('deleted')
    const { shown, isOpen } = await viewer(step, previewOf('deleted'))
    await reaches(shown, 1)

    await daemon.send('DELETE', '/v1/streams/deleted')

    await until('the end', () => !isOpen())
  })

  await t.test('the service stops although somebody watches, and leaves nothing behind', async (step) => {
    const pids: number[] = []
    for (const id of ['bytes', 'killed']) pids.push((await daemon.metrics(id)).engine_pid as number)
    const [watching, asleep] = [await viewer(step, previewOf('bytes')), await viewer(step, previewOf('bytes'))]
    await whereAre(daemon, 'bytes', 'both with the engine', (metrics) => metrics.viewers_of_engine === 2)
    asleep.response.pause()

    const { code } = await daemon.end('SIGTERM')

    assert.equal(code, 0)
    assert.deepEqual(pids.filter(isRunning), [])
    await until('the end', () => !watching.isOpen())
  })
})
