// A real engine on cameras of the network that send their JPEGs in ways of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import { networkCamera } from '../../../support/cameras/network-camera.ts'
import { startEngine, takePicture } from '../../../support/engine/engine-task.ts'

const EVERY_MS = 20
const EOL = '\r\n'

interface Part {
  readonly boundary?: string
  readonly type?: string | undefined
  readonly length?: ((bytes: number) => string) | undefined
  readonly eol?: string
  readonly end?: string
}

const part =
  ({ boundary = '--b', type = 'Content-Type: image/jpeg', length = (n) => `Content-Length: ${n}`, ...ends }: Part) =>
  (jpeg: Buffer): Buffer => {
    const { eol = EOL, end = eol } = ends
    const head = [boundary, type, length(jpeg.length)].filter((line) => line !== '')
    return Buffer.concat([Buffer.from([...head, '', ''].join(eol)), jpeg, Buffer.from(end)])
  }

const MULTIPART = 'multipart/x-mixed-replace; boundary=b'
const none = () => ''

/** What the answer says that it is, how a picture is sent, and what comes before the first. */
type Kind = readonly [type: string | undefined, sent: (jpeg: Buffer) => Buffer, before?: string]

const KINDS: Readonly<Record<string, Kind>> = {
  plain: [MULTIPART, part({})],
  'type and parameter in capitals': [
    'Multipart/X-Mixed-Replace; Boundary="b"',
    part({ type: 'CONTENT-TYPE: Image/JPEG' }),
  ],
  'blanks about the parameter': ['multipart/x-mixed-replace ; charset=utf-8 ; BOUNDARY = b', part({})],
  'no type': [undefined, part({})],
  'octets in parts': ['application/octet-stream', part({})],
  'octets in capitals': ['Application/Octet-Stream; charset=binary', part({ length: none }), EOL],
  'video in parts': ['video/x-motion-jpeg', part({})],
  'octets without parts': ['application/octet-stream', (jpeg) => jpeg],
  'no type and no parts': [undefined, (jpeg) => jpeg],
  'pictures without parts': ['image/jpeg', (jpeg) => jpeg],
  'no dashes': [MULTIPART, part({ boundary: 'b' })],
  'another boundary': ['multipart/x-mixed-replace; boundary=BoundaryString', part({ boundary: '--BoundaryString2' })],
  'no line end and no length': [MULTIPART, part({ length: none, end: '' })],
  'a length that is short': [MULTIPART, part({ length: (n) => `Content-Length: ${n - 2}` })],
  'a length that is long': [MULTIPART, part({ length: (n) => `Content-Length: ${n + 7}` })],
  'headers that end twice': [MULTIPART, part({ length: (n) => `${EOL}Content-Length: ${n}` })],
}

test('pictures of a camera are found by what it sends, whatever it says that it sends', async (t) => {
  const jpeg = Buffer.from((await takePicture(t)).picture.jpeg)
  const camera = await networkCamera(t, ({ url }, response) => {
    const [type, sent, before = ''] = KINDS[decodeURIComponent(url?.slice(1) ?? '')] as Kind
    response.writeHead(200, type === undefined ? {} : { 'content-type': type })
    response.write(before)
    const send = () => response.write(sent(jpeg))
    send()
    const timer = setInterval(send, EVERY_MS)
    response.once('close', () => clearInterval(timer))
  })
  const engine = await startEngine(t)
  engine.engine.setPictureKinds([{ key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])

  for (const name of Object.keys(KINDS)) {
    const url = camera.url(`/${encodeURIComponent(name)}`)
    const opened = await engine.open({ source: { backend: 'url', url, fps: 50 } }).catch((fault) => fault)
    assert.deepEqual([opened.width_px, opened.pixel_format], [640, 'jpeg'], `${name}: ${JSON.stringify(opened)}`)
    const [first, second] = [await engine.nextResult(), await engine.nextResult()]
    assert.ok(header(second, 'seq') > header(first, 'seq'), name)
    const picture = Buffer.from((await engine.nextPicture()).jpeg)
    assert.deepEqual(picture.subarray(0, jpeg.length), jpeg, name)
  }
})

test('one picture instead of live ones is refused in a sentence', async (t) => {
  const jpeg = Buffer.from((await takePicture(t)).picture.jpeg)
  const camera = await networkCamera(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': jpeg.length }).end(jpeg),
  )
  const engine = await startEngine(t)

  const fault = await engine.open({ source: { backend: 'url', url: camera.url(), fps: 50 } }).catch((found) => found)

  assert.equal(fault.code, 'camera.unreadable')
  assert.match(fault.detail, /answers with one picture instead of live pictures.*give the address of its MJPEG stream/)
})
