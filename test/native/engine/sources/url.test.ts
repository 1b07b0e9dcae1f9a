// A real engine on cameras of the network: servers of every kind, on the loopback.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { UrlSource } from '../../../../machines/stream/sources/url.ts'
import { livePictures, networkCamera, TINY_JPEG } from '../../../support/cameras/network-camera.ts'
import { type EngineProbe, startEngine, takePicture } from '../../../support/engine/engine-task.ts'

const manifestOf = (url: string, more: Partial<UrlSource> = {}) => ({
  source: { backend: 'url' as const, url, fps: 50, ...more },
})

/** The fault with which opening fails. */
const refusal = async (engine: EngineProbe, url: string, more?: Partial<UrlSource>): Promise<Fault> => {
  const opening = engine.open(manifestOf(url, more))
  return opening.then(
    () => assert.fail(`${url} was opened`),
    (fault) => fault as Fault,
  )
}

const jpegOf = async (t: TestContext) => Buffer.from((await takePicture(t)).picture.jpeg)

test('a camera on the network is opened, and its own JPEGs are passed on as they are', async (t) => {
  const jpeg = await jpegOf(t)
  const camera = await networkCamera(t, livePictures(jpeg))
  const engine = await startEngine(t)

  const opened = await engine.open(manifestOf(camera.url()))
  engine.engine.setPictureKinds([{ key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])
  const picture = await engine.nextPicture()
  await engine.nextResult()

  assert.deepEqual([opened.width_px, opened.height_px, opened.pixel_format, opened.fps], [640, 400, 'jpeg', 50])
  assert.ok(picture.passthrough)
  assert.deepEqual(Buffer.from(picture.jpeg), jpeg)
})

const realm = 'camera'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const isDigestOf = ({ method, headers }: IncomingMessage, username: string, password: string): boolean => {
  const given = Object.fromEntries(
    [...(headers.authorization ?? '').matchAll(/(\w+)="?([^",]+)"?/g)].map(([, name, value]) => [name, value]),
  )
  const [who, what] = [md5(`${username}:${realm}:${password}`), md5(`${method}:${given.uri}`)]
  return given.response === md5(`${who}:${given.nonce}:${given.nc}:${given.cnonce}:${given.qop}:${what}`)
}

for (const scheme of ['Basic', 'Digest'] as const)
  test(`a camera that asks who is there (${scheme}) is told, and one that is told wrong is refused`, async (t) => {
    const jpeg = await jpegOf(t)
    const basic = `Basic ${Buffer.from('team:secret').toString('base64')}`
    const camera = await networkCamera(t, (request, response) => {
      const isRight =
        scheme === 'Basic' ? request.headers.authorization === basic : isDigestOf(request, 'team', 'secret')
      const challenge =
        scheme === 'Basic' ? `Basic realm="${realm}"` : `Digest realm="${realm}", qop="auth", nonce="n1"`
      if (isRight) livePictures(jpeg)(request, response)
      else response.writeHead(401, { 'www-authenticate': challenge }).end('who?')
    })
    const engine = await startEngine(t)

    await engine.open(manifestOf(camera.url(), { username: 'team', password: 'secret' }))
    await engine.nextResult()
    const wrong = await refusal(engine, camera.url(), { username: 'team', password: 'guess' })

    assert.equal(wrong.code, 'camera.unreadable')
    assert.match(wrong.detail, /refuses us \(HTTP 401\); check username and password/)
    assert.doesNotMatch(wrong.detail, /guess/)
  })

test('redirects are followed, and the password goes only to the server that it was given for', async (t) => {
  const jpeg = await jpegOf(t)
  const last = await networkCamera(t, livePictures(jpeg))
  const first = await networkCamera(t, (request, response) => {
    if (!request.headers.authorization) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    else if (request.url === '/video') response.writeHead(302, { location: '/moved' }).end('moved')
    else response.writeHead(307, { location: last.url('/final') }).end('moved')
  })
  const engine = await startEngine(t)

  await engine.open(manifestOf(first.url(), { username: 'team', password: 'secret' }))

  assert.equal(first.asked.at(-1)?.url, '/moved')
  assert.deepEqual(
    last.asked.map(({ url, headers }) => [url, headers.authorization]),
    [['/final', undefined]],
  )
})

test('a camera cannot make this device ask in another kind of network, nor redirect it for ever', async (t) => {
  const camera = await networkCamera(t, ({ url }, response) => {
    const location = url === '/out' ? 'http://192.0.2.1/video' : url === '/file' ? 'file:///etc/passwd' : '/round'
    response.writeHead(302, { location }).end()
  })
  const engine = await startEngine(t)

  const [out, round, file] = [
    await refusal(engine, camera.url('/out')),
    await refusal(engine, camera.url('/round')),
    await refusal(engine, camera.url('/file')),
  ]

  assert.deepEqual([out.code, round.code], ['camera.unreadable', 'camera.unreadable'])
  assert.match(out.detail, /another kind of network/)
  assert.match(round.detail, /sends us on and on/)
  assert.match(file.code, /^camera\./)
  assert.ok(camera.asked.length < 8)
})

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  page: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  missing: (_, response) => response.writeHead(404).end('no'),
  picture: (_, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end('\xff\xd8'),
  garbage: (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
      .write(Buffer.alloc(200_000)),
  huge: (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
      .write('--a\r\nContent-Type: image/jpeg\r\nContent-Length: 9999999999\r\n\r\n'),
  text: (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
      .end('--a\r\nContent-Type: image/jpeg\r\nContent-Length: 5\r\n\r\nhello\r\n--a\r\n'),
}

test('what answers without live pictures is refused in a sentence, and the engine lives', async (t) => {
  const camera = await networkCamera(t, (request, response) =>
    answers[request.url?.slice(1).split('?')[0] as string]?.(request, response),
  )
  const engine = await startEngine(t)

  for (const kind of Object.keys(answers)) {
    const fault = await refusal(engine, camera.url(`/${kind}?token=hidden`))
    assert.equal(fault.code, 'camera.unreadable', kind)
    assert.doesNotMatch(fault.detail, /hidden/, kind)
  }
  const closed = await refusal(engine, 'http://127.0.0.1:1/video')

  assert.equal(closed.code, 'camera.missing')
})

test('a refusal without a text is told as one with a text', async (t) => {
  const camera = await networkCamera(t, ({ url }, response) => response.writeHead(Number(url?.slice(1))).end())
  const engine = await startEngine(t)

  const [forbidden, missing] = [await refusal(engine, camera.url('/403')), await refusal(engine, camera.url('/404'))]

  assert.deepEqual([forbidden.code, missing.code], ['camera.unreadable', 'camera.unreadable'])
  assert.match(forbidden.detail, /refuses us \(HTTP 403\); check username and password/)
  assert.match(missing.detail, /answers with HTTP 404 instead of pictures; check the address/)
})

test('a camera that never answers, or sends nothing of use, is given up', async (t) => {
  const camera = await networkCamera(t, () => {})
  const useless = await networkCamera(t, livePictures(Buffer.from('hello')))
  const [one, other] = [await startEngine(t), await startEngine(t)]

  const [silent, bad] = await Promise.all([refusal(one, camera.url()), refusal(other, useless.url())])

  assert.equal(silent.code, 'camera.missing')
  assert.match(silent.detail, /no picture within 6 s/)
  assert.equal(bad.code, 'camera.unreadable')
  assert.match(bad.detail, /JPEG/)
})

/** Sends pictures when it is told to, all of one call at once. */
const pictureSender = async (t: TestContext) => {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const camera = await networkCamera(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
    resolve(response)
  })
  const bytesOf = (pictures: readonly Buffer[]) =>
    Buffer.concat(
      pictures.flatMap((picture) => [
        Buffer.from(`--a\r\nContent-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n`),
        ...[picture, Buffer.from('\r\n')],
      ]),
    )
  return {
    url: camera.url(),
    send: async (...pictures: readonly Buffer[]) => void (await asked).write(bytesOf(pictures)),
    end: async (...pictures: readonly Buffer[]) => void (await asked).end(bytesOf(pictures)),
  }
}

test('pictures that are replaced or of no use are counted, except those before the first', async (t) => {
  const camera = await pictureSender(t)
  const engine = await startEngine(t)
  const bad = Buffer.from('hello')

  const opening = engine.open(manifestOf(camera.url))
  const first = engine.nextResult()
  await camera.send(bad, TINY_JPEG, bad, TINY_JPEG)
  await opening
  const before = await first
  const next = engine.nextResult()
  await camera.send(TINY_JPEG, TINY_JPEG, bad, TINY_JPEG)
  const after = await next

  assert.equal(header(before, 'skipped'), 0)
  assert.equal(header(after, 'seq') - header(before, 'seq'), 4)
  assert.equal(header(after, 'skipped'), 3)
})

test('a camera whose first picture comes together with the end of its answer is opened, and then lost', async (t) => {
  const camera = await pictureSender(t)
  const engine = await startEngine(t)

  const lost = engine.nextEvent('lost')
  await Promise.all([engine.open(manifestOf(camera.url)), camera.end(TINY_JPEG)])
  const event = await lost

  assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
})

test('what a device of this kind shows while its camera gives nothing is no picture', async (t) => {
  const jpeg = await jpegOf(t)
  const part = (picture: Buffer, more: string) => [
    `--a\r\nContent-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n${more}\r\n`,
    ...[picture, '\r\n'],
  ]
  const camera = await networkCamera(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
    const placeholder = part(TINY_JPEG, 'X-Placeholder: 1\r\n')
    for (const bytes of [...placeholder, ...placeholder, ...part(jpeg, ''), ...placeholder]) response.write(bytes)
  })
  const engine = await startEngine(t)

  const opened = await engine.open(manifestOf(camera.url()))
  const first = await engine.nextResult()

  assert.deepEqual([opened.width_px, opened.height_px], [640, 400])
  assert.equal(header(first, 'seq'), 1)
})

test('a camera that goes away, or falls silent, is lost, and opened again it gives pictures', async (t) => {
  const jpeg = await jpegOf(t)
  let isSilent = false
  const camera = await networkCamera(t, (request, response) => {
    if (isSilent) {
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=a' })
      response.write(`--a\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
      response.write(jpeg)
    } else livePictures(jpeg)(request, response)
  })
  const engine = await startEngine(t)
  await engine.open(manifestOf(camera.url()))
  await engine.nextResult()

  const gone = engine.nextEvent('lost')
  camera.hangUp()
  const first = await gone
  isSilent = true
  const silent = engine.nextEvent('lost')
  await engine.open(manifestOf(camera.url()))
  const second = await silent
  isSilent = false
  await engine.open(manifestOf(camera.url()))
  await engine.nextResult()

  for (const event of [first, second]) assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
  assert.match(second.type === 'lost' ? second.fault.detail : '', /no picture came .* for 5 s/)
})
