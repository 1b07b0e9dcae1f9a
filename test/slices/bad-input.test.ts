// What people and cameras send that makes no sense, to the real service over real sockets: each is answered with its
// status and a sentence, nothing of it is left, and whoever did nothing wrong does not notice.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { networkCamera } from '../support/cameras/network-camera.ts'
import { daemonWithCamera } from '../support/cameras/v4l2/daemon.ts'
import { CONTROL, cameraModels } from '../support/cameras/v4l2/models.ts'
import { takePicture } from '../support/engine/engine-task.ts'
import { noFfmpeg } from '../support/media/boxes.ts'
import { jpegFile, storedFiles } from '../support/media/media-files.ts'
import { emptyPng } from '../support/media/png.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { smallDisk } from '../support/processes/small-disk.ts'
import { arrival, until } from '../support/until.ts'

interface Problem {
  readonly code: string
  readonly detail: string
}

const isSentence = (text: string): boolean => /^\S.{15,}/.test(text)

/** Sends a file, and says what became of it. */
const upload = async ({ url }: Daemon, bytes: Uint8Array, query = '') => {
  const response = await fetch(`${url}/v1/media${query}`, { method: 'POST', body: Buffer.from(bytes) })
  return { status: response.status, body: (await response.json()) as MediaItem & Problem }
}

const picture = jpegFile(64, 48, { scan: Buffer.alloc(5000, 7) })

/** A service with a camera at its USB, whose stream runs and is not to notice anything. */
const started = async (t: TestContext) => {
  const machine = await daemonWithCamera(t, cameraModels.webCamera)
  const { daemon, camera_uid } = machine
  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  await daemon.stream('front', 'live')
  return machine
}

test('what makes no sense is refused in a sentence, leaves nothing, and nobody else notices', async (t) => {
  const { daemon, camera_uid, dataDir } = await started(t)
  const before = await daemon.metrics('front')

  await t.test('an upload that is not what it says, or not whole', async () => {
    for (const [what, bytes] of [
      ['a text of 20 MB', Buffer.alloc(20_000_000, 'a text that is called a picture ')],
      ['one that is cut off', picture.subarray(0, 3000)],
      ['a bomb', emptyPng(100_000, 100_000)],
      ['one with a NUL before it', Buffer.concat([Buffer.from([0]), picture])],
      ['nothing', Buffer.alloc(0)],
    ] as const) {
      const { status, body } = await upload(daemon, bytes, '?name=front.jpg')
      assert.deepEqual([status, body.code], [400, 'media.invalid'], what)
      assert.ok(isSentence(body.detail), what)
    }
    assert.deepEqual(storedFiles(dataDir), [])
  })

  await t.test('a name that leads elsewhere', async () => {
    for (const name of ['../../etc/passwd', '/etc/passwd', 'a%00b.jpg', '..%5cfront.jpg', '%0a']) {
      const { status, body } = await upload(daemon, picture, `?name=${name}`)
      assert.deepEqual([status, body.code], [400, 'query.invalid'], name)
      assert.ok(isSentence(body.detail), name)
    }
    assert.deepEqual(storedFiles(dataDir), [])
  })

  await t.test('who sends a byte now and then holds up nobody, and leaves nothing when he goes', async () => {
    const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await arrival('a connection', once(socket, 'connect'))
    socket.write(`POST /v1/media?name=drip HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${picture.length}\r\n\r\n`)
    for (const byte of picture.subarray(0, 4)) socket.write(Buffer.from([byte]))

    const twice = await Promise.all([upload(daemon, picture, '?name=front'), upload(daemon, picture, '?name=front')])
    socket.destroy()

    assert.deepEqual(twice.map(({ status, body }) => `${status} ${body.name}`).sort(), [
      '201 front-2.jpg',
      '201 front.jpg',
    ])
    await until('nothing else', () => storedFiles(dataDir).join() === 'front-2.jpg,front.jpg')
  })

  await t.test('an address that never answers, sends us on for ever, or sends garbage', async (step) => {
    const camera = await networkCamera(step, ({ url }, response) => {
      if (url === '/round') response.writeHead(302, { location: '/round' }).end()
      if (url !== '/garbage') return
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
      response.write(Buffer.alloc(200_000))
    })
    const expected = { never: /no picture within 6 s/, round: /sends us on and on/, garbage: /\w/ }

    for (const id of Object.keys(expected)) {
      const { status } = await daemon.send('POST', '/v1/streams', {
        id,
        source: { backend: 'url', url: camera.url(`/${id}`) },
      })
      assert.equal(status, 200)
    }
    for (const [id, sentence] of Object.entries(expected)) {
      const { status } = await daemon.stream(id, 'backing-off')
      assert.match(status.fault?.code ?? '', /^(camera\.(missing|unreadable)|picture\.corrupt)$/, id)
      assert.match(status.fault?.detail ?? '', sentence, id)
      assert.equal(status.restarts, 0, `the engine of ${id} lives`)
    }
    assert.ok(camera.asked.length < 60, `it was asked ${camera.asked.length} times`)
    for (const id of Object.keys(expected)) await daemon.send('DELETE', `/v1/streams/${id}`)
  })

  await t.test('a control out of range, a mode that the camera does not have, a second stream on it', async () => {
    const source = { backend: 'v4l2', camera_uid, pixel_format: 'mjpeg', fps: 30 }
    const wide = { ...source, width_px: 1920, height_px: 1080 }
    for (const [path, body, status, code, sentence] of [
      [`/v1/streams/front/controls/${CONTROL.brightness}`, { value: 100_000 }, 422, 'control.out_of_range', /./],
      [
        '/v1/streams',
        { id: 'wide', source: wide },
        422,
        'manifest.invalid',
        /does not have; it has .*1280x720 mjpeg at 30 fps/,
      ],
      ['/v1/streams', { id: 'second', camera_uid }, 409, 'camera.in_use', /front/],
    ] as const) {
      const answered = await daemon.send<Problem>('POST', path, body)
      assert.deepEqual([answered.status, answered.body.code], [status, code])
      assert.match(answered.body.detail, sentence)
      assert.ok(isSentence(answered.body.detail))
    }
  })

  const { items } = await daemon.get<{ readonly items: readonly { readonly id: string }[] }>('/v1/streams')
  assert.deepEqual(
    items.map(({ id }) => id),
    ['front'],
  )
  const after = await daemon.metrics('front')
  assert.deepEqual([after.state, after.engine_pid, after.restarts], ['live', before.engine_pid, 0])
  assert.ok(after.frames > before.frames)
})

test('a disk that is full in the middle of a recording ends it, and keeps what is whole of it', {
  skip: noFfmpeg,
}, async (t) => {
  const disk = smallDisk(t)
  if (!disk) return t.skip('a disk to be filled can only be mounted by root, and not in every container')
  const folder = folderOf(t)
  const { picture: shown } = await takePicture(t)
  writeFileSync(join(folder, 'one.jpg'), shown.jpeg)
  const daemon = await site(t).start({ 'data-dir': disk, 'media-roots': folder })
  const source = { backend: 'images', path: join(folder, 'one.jpg'), fps: 30 } as const
  await daemon.addStream({ id: 'front', source })
  const before = await daemon.metrics('front')

  const begun = await daemon.send<MediaItem>('POST', '/v1/streams/front/recording/start')
  const recording = await until(
    'its end',
    async () => (await daemon.get<StreamView>('/v1/streams/front')).status.recording,
    (now) => now?.state === 'failed',
  )
  const stopped = await daemon.send('POST', '/v1/streams/front/recording/stop')
  const after = await daemon.metrics('front')
  const { items } = await daemon.get<{ readonly items: readonly MediaItem[] }>('/v1/media')

  assert.deepEqual([begun.status, stopped.status], [201, 204])
  assert.equal(recording?.fault?.code, 'storage.full')
  assert.ok(isSentence(recording?.fault?.detail ?? ''))
  assert.deepEqual(
    items.map(({ name, state, flaw }) => [name, state, flaw]),
    [[begun.body.name, 'ready', 'truncated']],
  )
  assert.deepEqual(storedFiles(disk), [begun.body.name, `${begun.body.name}.results`])
  assert.deepEqual([after.state, after.engine_pid, after.restarts], ['live', before.engine_pid, 0])
})
