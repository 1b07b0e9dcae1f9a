// A real engine on cameras of the network that give videos: a real RTSP server, videos over HTTP, and servers that no
// camera should be like.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough, Transform, type TransformCallback } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { createServer } from 'node:tls'
import { header, type Result } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { UrlSource } from '../../../../machines/stream/sources/url.ts'
import { networkCamera } from '../../../support/cameras/network-camera.ts'
import { noRtspServer, oddServer, rtspAnswer, rtspServer } from '../../../support/cameras/rtsp.ts'
import { type EngineProbe, startEngine } from '../../../support/engine/engine-task.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { H264, H265, MJPEG, videoFile, without } from '../../../support/media/videos.ts'
import { madeElsewhere } from '../../../support/peers/certificates.ts'
import { until } from '../../../support/until.ts'

const manifestOf = (url: string, more: Partial<UrlSource> = {}) => ({
  source: { backend: 'url' as const, url, fps: 30, ...more },
})

const refusal = (engine: EngineProbe, url: string, more?: Partial<UrlSource>): Promise<Fault> =>
  engine.open(manifestOf(url, more)).then(
    () => assert.fail(`${url} was opened`),
    (fault) => fault as Fault,
  )

const timesOf = ({ results }: EngineProbe) => results.map((result) => header(result, 'captured_us'))

test('videos over RTSP are live: each kind is opened, and every picture has a later time than the one before', {
  skip: noRtspServer,
}, async (t) => {
  const server = await rtspServer(t)
  const engine = await startEngine(t)

  for (const [path, format] of [
    ['/h264', 'h264'],
    ['/h265', 'h265'],
    ['/jpeg', 'jpeg'],
  ] as const) {
    const before = engine.results.length
    const opened = await engine.open(manifestOf(server.url(path)))
    for (let n = 0; n < 10; n++) await engine.nextResult()

    assert.deepEqual([opened.width_px, opened.height_px, opened.pixel_format], [320, 240, format])
    assert.equal(opened.timestamp_source, 'arrival')
    const times = timesOf(engine).slice(before)
    for (const [n, us] of times.entries()) assert.ok(n === 0 || us > (times[n - 1] as number))
  }
})

test('a camera over RTSP that asks who is there is told, and one that is told wrong is refused', {
  skip: noRtspServer,
}, async (t) => {
  const password = 's3cr:t/@ü'
  const server = await rtspServer(t, ['--user', 'team', '--password', password])
  const engine = await startEngine(t)

  const nobody = await refusal(engine, server.url('/h264'))
  const wrong = await refusal(engine, server.url('/h264'), { username: 'team', password: 'guess' })
  await engine.open(manifestOf(server.url('/h264'), { username: 'team', password }))
  await engine.nextResult()

  for (const fault of [nobody, wrong]) {
    assert.equal(fault.code, 'camera.unreadable')
    assert.match(fault.detail, /refuses us .*; check username and password/)
    assert.doesNotMatch(JSON.stringify(fault), /guess|team/)
  }
})

test('a camera that encrypts is read like any other', { skip: noRtspServer }, async (t) => {
  const server = await rtspServer(t)
  const { hostname, port } = new URL(server.url('/'))
  const encrypted = await encrypting(t, Number(port), hostname)
  const engine = await startEngine(t)

  await engine.open(manifestOf(`rtsps://127.0.0.1:${encrypted}/h264`))
  await engine.nextResult()
})

/** A server that speaks TLS, and hands on what is said to one that does not. Its port. */
const encrypting = async (t: TestContext, port: number, host: string): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer(await madeElsewhere(), (socket) => {
    const plain = connect(port, host)
    for (const each of [socket, plain]) sockets.add(each.on('error', () => {}))
    socket.pipe(plain).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const each of sockets) each.destroy()
    server.close()
    return once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

test('a camera over RTSP that is gone is lost, and opened again when it is back', { skip: noRtspServer }, async (t) => {
  const server = await rtspServer(t)
  const engine = await startEngine(t)
  await engine.open(manifestOf(server.url('/jpeg')))
  await engine.nextResult()

  const lost = engine.nextEvent('lost')
  server.kill()
  const event = await lost
  const gone = await refusal(engine, server.url('/jpeg'))
  const next = await rtspServer(t)
  await engine.open(manifestOf(next.url('/jpeg')))
  await engine.nextResult()

  assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
  assert.equal(gone.code, 'camera.missing')
  assert.match(gone.detail, /does not answer/)
})

test('an address without a video, and a name that nobody has, are told in a sentence', {
  skip: noRtspServer,
}, async (t) => {
  const server = await rtspServer(t)
  const engine = await startEngine(t)

  const missing = await refusal(engine, server.url('/nothing?token=hidden'))
  const unknown = await refusal(engine, 'rtsp://camera.invalid/video')

  assert.equal(missing.code, 'camera.unreadable')
  assert.match(missing.detail, /has no video there/)
  assert.doesNotMatch(missing.detail, /hidden/)
  assert.equal(unknown.code, 'camera.missing')
  assert.match(unknown.detail, /the name camera\.invalid is not found/)
})

test('a camera over RTSP cannot send this device anywhere else', async (t) => {
  const other = await oddServer(t, (socket) => void socket.end())
  const camera = await oddServer(
    t,
    (socket, request) =>
      void socket.write(rtspAnswer(request, '302 Moved Temporarily', [`Location: ${other.url('/elsewhere')}`])),
  )
  const engine = await startEngine(t)

  const fault = await refusal(engine, camera.url(), { username: 'team', password: 'secret' })

  assert.equal(fault.code, 'camera.unreadable')
  assert.match(fault.detail, /give the address of the video itself/)
  assert.deepEqual([other.connections(), other.asked()], [0, ''])
  assert.doesNotMatch(JSON.stringify(fault), /secret|elsewhere/)
})

test('what answers on an address of RTSP without speaking it is refused, and the engine lives', async (t) => {
  const garbage = await oddServer(t, (socket) => void socket.end(Buffer.alloc(100_000, 'fq')))
  const sdp = await oddServer(t, (socket, request) => {
    const describes = request.startsWith('DESCRIBE')
    const local = 'v=0\r\nm=video 0 RTP/AVP 96\r\na=control:file:///etc/passwd\r\na=rtpmap:96 H264/90000\r\n'
    socket.write(
      describes
        ? rtspAnswer(request, '200 OK', ['Content-Type: application/sdp', 'Content-Base: concat:/etc/passwd/'], local)
        : rtspAnswer(request, request.startsWith('SETUP') ? '454 Session Not Found' : '200 OK', [
            'Public: DESCRIBE, SETUP, PLAY',
          ]),
    )
  })
  const engine = await startEngine(t)

  for (const server of [garbage, sdp]) {
    const fault = await refusal(engine, server.url())
    assert.match(fault.code, /^camera\.(missing|unreadable)$/)
  }
  assert.equal((await refusal(engine, 'rtsp://127.0.0.1:1/video')).code, 'camera.missing')
})

test('an answer over RTSP that says it is longer than there is memory for is refused at once', async (t) => {
  const boasting = await oddServer(t, (socket, request) => {
    const describes = request.startsWith('DESCRIBE')
    const headers = describes
      ? ['Content-Type: application/sdp', 'Content-Length: 1000000000']
      : ['Public: DESCRIBE, SETUP, PLAY']
    socket.write(rtspAnswer(request, '200 OK', headers))
  })
  const engine = await startEngine(t)

  const { code, detail } = await refusal(engine, boasting.url())

  assert.equal(code, 'camera.missing')
  assert.match(detail, /does not answer \(.*\); check the address/)
})

test('a camera over RTSP that never answers, or drips, is given up', async (t) => {
  const silent = await oddServer(t, () => {})
  const dripping = await oddServer(t, (socket, request) => {
    const answer = rtspAnswer(request, '200 OK', ['Public: DESCRIBE', `X: ${'x'.repeat(10_000)}`])
    let at = 0
    const timer = setInterval(() => socket.write(answer[at++] ?? 'x'), 100)
    socket.once('close', () => clearInterval(timer))
  })
  const [one, other] = [await startEngine(t), await startEngine(t)]

  const faults = await Promise.all([refusal(one, silent.url()), refusal(other, dripping.url())])

  for (const { code, detail } of faults) {
    assert.equal(code, 'camera.missing')
    assert.match(detail, /gives no picture within 8 s/)
  }
})

/** Answers with a video without end, at its own pace. */
const liveVideo =
  (t: TestContext, path: string, type: string, way: Transform = new PassThrough()) =>
  (_: unknown, response: ServerResponse) => {
    const how = ['-v', 'quiet', '-re', '-stream_loop', '-1', '-i', path, '-c', 'copy', '-f', 'mpegts', 'pipe:1']
    const child = spawn('ffmpeg', how, { stdio: ['ignore', 'pipe', 'ignore'] })
    const gone = once(child, 'close')
    t.after(() => {
      child.kill('SIGKILL')
      return gone
    })
    response.writeHead(200, { 'content-type': type })
    child.stdout.pipe(way).pipe(response)
    response.once('close', () => child.kill('SIGKILL'))
  }

for (const [name, how, encoder] of [
  ['h264', H264, 'libx264'],
  ['h265', H265, 'libx265'],
] as const)
  test(`a video over HTTP (${name}) is live, and lost when its server hangs up`, {
    skip: noFfmpeg || without(encoder),
  }, async (t) => {
    const path = videoFile(t, `${name}.ts`, how)
    const camera = await networkCamera(t, liveVideo(t, path, 'video/mp2t'))
    const engine = await startEngine(t)

    const opened = await engine.open(manifestOf(camera.url()))
    for (let n = 0; n < 10; n++) await engine.nextResult()
    const lost = engine.nextEvent('lost')
    camera.hangUp()
    const event = await lost

    assert.deepEqual([opened.width_px, opened.height_px, opened.pixel_format], [320, 240, name])
    assert.equal(camera.asked.length, 1)
    assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
  })

/** Hands on what has come when so much more has: all of it is late from then on, for good. */
class LongerWay extends Transform {
  readonly #held: Buffer[] = []
  #length = 0

  lengthen(chunks: number): void {
    this.#length = chunks
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#held.push(chunk)
    done(null, this.#held.length > this.#length ? this.#held.shift() : undefined)
  }
}

test('a live video whose way becomes longer for good loses no more than what lies before the next key picture', {
  skip: noFfmpeg || without('libx264'),
}, async (t) => {
  const path = videoFile(t, 'way.ts', [...H264, '-g', '30'])
  const way = new LongerWay()
  const camera = await networkCamera(t, liveVideo(t, path, 'video/mp2t', way))
  const engine = await startEngine(t)
  await engine.open(manifestOf(camera.url()))
  await engine.nextResult()

  way.lengthen(18) // 0.6 s
  await once(way, 'data')
  const before = engine.results.length
  const numbers = () => engine.results.slice(before).map((result) => header(result, 'seq'))
  const isWhole = (seqs: readonly number[]) =>
    seqs.some((seq, n) => seq + 1 === seqs[n + 1] && seq + 2 === seqs[n + 2] && seq + 3 === seqs[n + 3])

  await until('pictures one after the other', numbers, isWhole)
})

test('pictures of a live video that cannot be used are counted', { skip: noFfmpeg }, async (t) => {
  const path = videoFile(t, 'spoilt.mkv', MJPEG, { frames: 10 })
  const video = readFileSync(path)
  const starts = [...video.toString('latin1').matchAll(/\xff\xd8\xff/g)].map(({ index }) => index)
  for (const n of [3, 4, 7]) video.fill(0, starts[n], (starts[n] as number) + 3)
  const camera = await networkCamera(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'video/x-matroska' }).write(video)
  })
  const engine = await startEngine(t)

  await engine.open(manifestOf(camera.url()))
  const last = await until(
    'the last picture',
    () => engine.results.at(-1),
    (result) => result && header(result, 'seq') === 9,
  )

  assert.equal(starts.length, 10)
  assert.ok(header(last as Result, 'skipped') >= 3)
})

test('a playlist, and a video of garbage, are refused, and nothing that they name is asked', async (t) => {
  const other = await oddServer(t, (socket) => void socket.end())
  const list = `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:${other.port}/part.ts\n`
  const camera = await networkCamera(t, ({ url }, response) => {
    const type = url === '/list' ? 'application/vnd.apple.mpegurl' : 'video/mp2t'
    response.writeHead(200, { 'content-type': type })
    if (url === '/garbage') response.end(Buffer.alloc(300_000, 'fq'))
    else response.end(list)
  })
  const engine = await startEngine(t)

  for (const path of ['/list', '/disguised', '/garbage']) {
    const fault = await refusal(engine, camera.url(path))
    assert.match(fault.code, /^camera\./, path)
  }
  assert.equal(other.connections(), 0)
})
