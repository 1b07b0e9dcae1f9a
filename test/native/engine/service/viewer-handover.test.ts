// Sockets in the hands of an engine: real connections, real processes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import { isFault } from '../../../../machines/errors/fault.ts'
import { restOf, settled } from '../../../../machines/viewers/record.ts'
import type { HeldViewer, ViewerEnd, ViewerHandover, ViewerLook } from '../../../../native/viewers/port.ts'
import { parts } from '../../../support/api/preview.ts'
import { emulatedUsb } from '../../../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { type EngineProbe, startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { FRAGMENTS, MJPEG, videoFile } from '../../../support/media/videos.ts'
import { temporaryFolder } from '../../../support/processes/daemon.ts'
import { arrival, until } from '../../../support/until.ts'

const BOUNDARY = '\r\n--vedette-picture\r\n'
const KIND = { key: 'raw', max_width_px: 0, quality: 0, overlay: false, fps: 0, is_delivered: false }
const look: ViewerLook = { key: 'raw', output: '', fps: 0, boundary: BOUNDARY, stall_limit_ms: 60_000 }
const MANY = 60 // pictures of 200 kB: more than kernels hold for a viewer that takes nothing
const EARLY_S = 0.25 / 5 + 0.001 // a quarter of a period, since cameras jitter; times are told in whole milliseconds

/** Both ends of a connection. */
const connection = async (t: TestContext): Promise<{ readonly ours: Socket; readonly viewers: Socket }> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const viewers = connect(port, '127.0.0.1')
  const [ours] = (await arrival('a connection', once(server, 'connection'))) as [Socket]
  server.close()
  for (const socket of [ours, viewers]) {
    socket.on('error', () => {})
    t.after(() => socket.destroy())
  }
  return { ours, viewers }
}

/** An engine that shows one file, and the file. jpegBytes: at least so many. */
const showing = async (t: TestContext, { jpegBytes = 0, fps = 30 } = {}) => {
  const { picture } = await takePicture(t)
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const jpeg = Buffer.concat([picture.jpeg.subarray(0, 2), filler(jpegBytes), picture.jpeg.subarray(2)])
  const path = join(folder, 'one.jpg')
  writeFileSync(path, jpeg)
  const open = async (): Promise<EngineProbe & { readonly handover: ViewerHandover }> => {
    const probe = await startEngine(t)
    await probe.open({ source: { backend: 'images', path, fps } })
    probe.engine.setPictureKinds([KIND])
    assert.ok(probe.engine.handover)
    return { ...probe, handover: probe.engine.handover }
  }
  return { jpeg, open }
}

/** Comments of a JPEG. */
const filler = (bytes: number): Buffer => {
  const comment = Buffer.alloc(60_004)
  comment.writeUInt16BE(0xfffe, 0)
  comment.writeUInt16BE(60_002, 2)
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / comment.length) }, () => comment))
}

/** Hands a connection over. ended: how that ended, once it has. */
const shown = async (t: TestContext, handover: ViewerHandover, own: Partial<ViewerLook> = {}) => {
  const { ours, viewers } = await connection(t)
  const held = await holdOf(handover, ours)
  const seen = parts(viewers, BOUNDARY.slice(2))
  ours.write(BOUNDARY.slice(2))
  const ends: ViewerEnd[] = []
  const begin = Promise.withResolvers<void>()
  ours.write('', () => begin.resolve())
  await begin.promise
  held.start({ ...look, ...own }, (end) => ends.push(end))
  return { ours, viewers, held, seen, ends }
}

const holdOf = async (handover: ViewerHandover, socket: Socket): Promise<HeldViewer> => {
  const held = await arrival('the hold', handover.hold(socket))
  if (isFault(held)) throw new Error(held.detail)
  return held
}

/** How many sockets a process has open. */
const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fdinfo`).filter((fd) => existsSync(`/proc/${pid}/fd/${fd}`)).length

test("a viewer gets the camera's own bytes from the engine, and none of them comes here", async (t) => {
  const { jpeg, open } = await showing(t)
  const { handover, pictures } = await open()

  const { seen, held } = await shown(t, handover)
  await until(
    'ten pictures',
    () => seen.length,
    (count) => count >= 10,
  )

  assert.ok(seen.every((part) => part.jpeg.equals(jpeg) && !part.isPlaceholder))
  const numbers = seen.map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => a - b),
  )
  assert.ok(Math.abs((seen.at(-1)?.timeS ?? 0) - Date.now() / 1000) < 60)
  assert.equal(pictures.length, 0)
  const sent = held.sent()
  assert.equal(sent?.picture_bytes, jpeg.length)
  assert.ok((sent?.bytes ?? 0) > 8 * jpeg.length, `${sent?.bytes}`)
})

test("a camera's own picture is shown before the pipeline has come to it, and when it never does", async (t) => {
  const usb = emulatedUsb(t)
  usb.useHere(t)
  const camera = usb.plug(cameraModels.globalShutter)
  const probe = await startEngine(t)
  camera.paceByHand()
  await probe.openCamera(camera, { width_px: 1280, height_px: 800 })
  probe.engine.setPictureKinds([KIND])
  assert.ok(probe.engine.handover)
  const { seen } = await shown(t, probe.engine.handover)

  // All at once: the pipeline is with the first of them when the last one comes. The viewer may still be on his way to
  // the engine, so that more come then.
  let before = -1
  const look = () => {
    const processed = probe.results.map((result) => header(result, 'seq'))
    if (processed.length > before) camera.take(3)
    before = processed.length
    return { processed, shown: seen.map(({ seq }) => seq) }
  }
  await until('a picture that the pipeline never came to', look, ({ processed, shown }) =>
    shown.some((seq) => seq < Math.max(...processed) && !processed.includes(seq)),
  )
})

test('who watches few pictures of a video that runs ahead of the clock goes on with the camera that is opened then', {
  skip: noFfmpeg,
}, async (t) => {
  const video = videoFile(t, 'ahead.mp4', [...MJPEG, ...FRAGMENTS])
  const probe = await startEngine(t)
  await probe.open({ source: { backend: 'file', path: video, pace: 'fast', loop: true } })
  probe.engine.setPictureKinds([KIND])
  assert.ok(probe.engine.handover)
  const { seen } = await shown(t, probe.engine.handover, { fps: 5 })
  await until(
    'a picture of in five seconds',
    () => (seen.at(-1)?.timeS ?? 0) - Date.now() / 1000,
    (ahead) => ahead > 5,
  )

  await probe.open({ source: { backend: 'file', path: video, pace: 'native', loop: true } })
  const [shownBefore, resultsBefore] = [seen.length, probe.results.length]
  const look = () => ({ shown: seen.length - shownBefore, results: probe.results.length - resultsBefore })
  const after = await until('pictures or results', look, ({ shown, results }) => shown >= 2 || results > 60)

  assert.ok(after.shown >= 2, `${after.results} results without a picture`)
})

test('a viewer that asked for fewer pictures gets fewer, and one that stalls costs the others none', async (t) => {
  const { open } = await showing(t, { jpegBytes: 200_000 })
  const { handover } = await open()
  const [all, some, stalled, short] = [
    await shown(t, handover),
    await shown(t, handover, { fps: 5 }),
    await shown(t, handover),
    await shown(t, handover, { stall_limit_ms: 1000 }),
  ]
  stalled.viewers.pause()
  short.viewers.pause()

  const [before, taken] = [all.seen.length, stalled.seen.length]
  await until(
    'its end',
    () => short.ends,
    ([end]) => end?.why === 'stalled',
  )
  await until(
    'more pictures',
    () => [all.seen.length - before, some.seen.length] as const,
    ([more, few]) => more > MANY && few > 3,
  )

  assert.deepEqual(stalled.ends, [], 'he who took nothing was still there')
  const times = some.seen.map(({ timeS }) => timeS - (some.seen[0]?.timeS ?? 0))
  const tooEarly = times.filter((timeS, n) => timeS < n / 5 - EARLY_S)
  assert.deepEqual(tooEarly, [], `${some.seen.length} of ${all.seen.length}`)
  const newest = all.seen.at(-1)?.seq ?? 0
  stalled.viewers.resume()
  await until('a picture of now', () => stalled.seen.some(({ seq }) => seq > newest))
  const old = stalled.seen.slice(taken).filter(({ seq }) => seq <= newest).length
  assert.ok(old < MANY, `${old} old pictures were kept for it`)
})

test('when a viewer leaves, whichever way, the engine says so and keeps nothing of him', async (t) => {
  const { open } = await showing(t)
  const { handover, engine } = await open()
  const before = socketsOf(engine.pid)
  const leaving = [await shown(t, handover), await shown(t, handover), await shown(t, handover)]
  const [closed, halfClosed, reset] = leaving.map(({ viewers }) => viewers)

  closed?.destroy()
  halfClosed?.end()
  reset?.resetAndDestroy()

  await until(
    'their ends',
    () => leaving.map(({ ends }) => ends[0]?.why),
    (ends) => ends.every((why) => why === 'gone'),
  )
  await until(
    'no socket of theirs',
    () => socketsOf(engine.pid),
    (count) => count <= before + 2,
  ) // its epoll and its alarm
})

test('a viewer that is given back is not written to any more, and its connection is ours to end', async (t) => {
  const { open } = await showing(t)
  const { handover } = await open()
  const { ours, viewers, held, seen } = await shown(t, handover)
  await until('a picture', () => seen.length)

  held.release()
  ours.destroy()

  await arrival('the end of the connection', once(viewers, 'close'))
})

test('a picture that stands in is shown at once and repeated, until pictures come', async (t) => {
  const { open } = await showing(t, { fps: 0.5 })
  const { handover } = await open()
  const { seen } = await shown(t, handover, { fps: 1 })
  await until('a picture', () => seen.length)

  const words = Buffer.from('a JPEG that says why')
  handover.showInstead(Buffer.from('words for others'), 'an-output')
  handover.showInstead(words, '')
  await until(
    'it twice',
    () => seen.slice(1, 3),
    (two) => two.length === 2 && two.every(({ isPlaceholder }) => isPlaceholder),
  )
  assert.ok(seen[1]?.jpeg.equals(words))
  const at = seen.length
  await until(
    'a picture',
    () => seen.slice(at),
    (more) => more.some(({ isPlaceholder }) => !isPlaceholder),
  )
})

test('what an engine that is killed leaves half done can be ended by the next one', async (t) => {
  const { jpeg, open } = await showing(t, { jpegBytes: 3_000_000 })
  const [first, next] = [await open(), await open()]
  const { ours, viewers, seen, ends } = await shown(t, first.handover)
  await until('a picture', () => seen.length)
  viewers.pause()
  for (let n = 0; n < 10; n += 1) await first.nextResult() // no kernel holds so many pictures: one of them is half done

  process.kill(first.engine.pid, 'SIGKILL')
  const end = await until('its end', () => ends[0])
  assert.ok(end?.why === 'engine' && end.owed)
  const held = await holdOf(next.handover, ours)
  const byEngine = settled(end.owed, held.positionBytes)
  const byKernel = settled({ ...end.owed, sentBytes: undefined }, held.positionBytes)
  assert.deepEqual(byKernel, byEngine)
  const rest = restOf(byKernel, Buffer.from(BOUNDARY))
  assert.ok(rest && rest.length > 0)
  await new Promise<void>((resolve) => {
    ours.write(rest, () => resolve())
    viewers.resume()
  })
  const at = seen.length
  held.start(look, () => {})

  await until(
    'pictures of the next engine',
    () => seen.slice(at).filter((part) => part.jpeg.equals(jpeg)).length,
    (count) => count >= 3,
  )
  assert.equal(seen.filter((part) => !part.jpeg.equals(jpeg)).length, 1) // the one that was cut
})

test('an engine that does not answer is given no viewer, and what it takes later it gives back', async (t) => {
  const { open } = await showing(t)
  const { handover, engine } = await open()
  const { ours, viewers } = await connection(t)

  process.kill(engine.pid, 'SIGSTOP')
  const held = await arrival('an answer', handover.hold(ours))
  process.kill(engine.pid, 'SIGCONT')

  assert.ok(isFault(held))
  ours.write('from here')
  const [bytes] = (await arrival('what is written here', once(viewers, 'data'))) as [Buffer]
  assert.equal(String(bytes), 'from here')
  ours.destroy()
  await arrival('the end of the connection', once(viewers, 'close'))
})

test('no engine is given a connection that is not a plain one, or that has ended', async (t) => {
  const { open } = await showing(t)
  const { handover, release } = await open()

  assert.ok(isFault(await handover.hold(new Socket())))
  assert.ok(isFault(await handover.hold({ remoteAddress: '127.0.0.1' })))
  await release()
  assert.ok(isFault(await handover.hold((await connection(t)).ours)))
})
