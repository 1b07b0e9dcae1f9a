// Live pictures of a peer over real sockets: what good, late and stalled viewers get, and what a lying, slow or
// vanishing peer comes to.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { DEFAULT_LIMITS, type TunnelLimits } from '../../../native/tunnels/limits.ts'
import type { PreviewTunnel } from '../../../native/tunnels/port.ts'
import { previewTunnel } from '../../../native/tunnels/preview.ts'
import { settle } from '../../support/clock/clock.ts'
import {
  arrives,
  dialled,
  FIRST,
  type HeldViewer,
  heldViewer,
  NEXT,
  type PictureSource,
  PREVIEW_HEAD,
  partOf,
  pictureSource,
} from '../../support/peers/picture-source.ts'
import { arrival, until } from '../../support/until.ts'

const PATH = '/v1/interdevice/streams/front/preview?quality=60'

interface Opened {
  readonly tunnel: PreviewTunnel | Fault
  readonly close: () => Promise<void>
}

/** given: the connection, where the test has to see it. */
const open = async (
  t: TestContext,
  source: PictureSource,
  limits: Partial<TunnelLimits> = {},
  given?: Socket,
): Promise<Opened> => {
  const connection = given ?? (await dialled(t, source))
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const ask = { target: source.target, path: PATH }
  const opening = previewTunnel(connection, ask, { ...DEFAULT_LIMITS, ...limits }).pipe(
    Effect.match({ onSuccess: (tunnel): PreviewTunnel | Fault => tunnel, onFailure: (fault) => fault }),
  )
  const tunnel = await arrival('an answer', Effect.runPromise(Scope.provide(opening, scope)))
  return { tunnel, close }
}

const tunnelTo = async (t: TestContext, source: PictureSource, limits?: Partial<TunnelLimits>) => {
  const { tunnel, close } = await open(t, source, limits)
  if (isFault(tunnel)) throw new Error(tunnel.detail)
  return { tunnel, close }
}

/** Who is let in, and how often he was said to have left. */
const joined = async (t: TestContext, tunnel: PreviewTunnel): Promise<HeldViewer & { left: number }> => {
  const viewer = { ...(await heldViewer(t)), left: 0 }
  tunnel.join(viewer.here, () => {
    viewer.left += 1
  })
  return viewer
}

const endOf = (tunnel: PreviewTunnel): Promise<Fault> =>
  arrival('the end of the tunnel', Effect.runPromise(Effect.flip(tunnel.ended)))

/** A source with live pictures, and its connection. */
const liveSource = async (t: TestContext) => {
  const source = await pictureSource(t, (connection) => connection.write(PREVIEW_HEAD + FIRST))
  return { ...source, send: (...parts: readonly Uint8Array[]) => source.connections[0]?.write(Buffer.concat(parts)) }
}

const PARTS = Array.from({ length: 6 }, (_, n) => partOf(n, Buffer.alloc(20_000 + n, `${NEXT}${n}`)))
const [A, B, C, D] = PARTS as [Buffer, Buffer, Buffer, Buffer]

test('what the peer sends arrives byte for byte, in one connection for all who watch', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const viewers = [await joined(t, tunnel), await joined(t, tunnel)]

  source.send(A, B, C)

  for (const viewer of viewers) await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A, B, C]))
  assert.equal(tunnel.mediaType, 'multipart/x-mixed-replace; boundary=vedette-picture')
  assert.equal(source.connections.length, 1)
  assert.match(source.requests[0] ?? '', /^GET \/v1\/interdevice\/streams\/front\/preview\?quality=60 HTTP\/1\.1\r\n/)
  assert.doesNotMatch(source.requests[0] ?? '', /authorization|cookie|range|encoding/i)
})

test('a picture that comes with the head of the answer waits for the first who watch', async (t) => {
  const source = await pictureSource(t, (connection) =>
    connection.write(PREVIEW_HEAD + FIRST + A.toString('latin1'), 'latin1'),
  )
  const { tunnel } = await tunnelTo(t, source)
  const viewers = [await heldViewer(t), await heldViewer(t)]

  for (const { here } of viewers) tunnel.join(here, () => {})

  for (const viewer of viewers) await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A]))
})

test('one who comes late gets the next picture that begins, from its first byte', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const first = await joined(t, tunnel)
  source.send(A, B.subarray(0, 9_000))
  await arrives(first, Buffer.concat([Buffer.from(FIRST), A, B.subarray(0, 9_000)]))

  const late = await joined(t, tunnel)
  source.send(B.subarray(9_000), C, D)

  await arrives(late, Buffer.concat([Buffer.from(FIRST), C, D]))
  await arrives(first, Buffer.concat([Buffer.from(FIRST), A, B, C, D]))
})

test('a picture is passed on as it comes, not when it is whole', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const viewer = await joined(t, tunnel)

  source.send(A.subarray(0, 5_000))

  await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A.subarray(0, 5_000)]))
})

test('a source that sends single bytes is understood all the same', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const viewer = await joined(t, tunnel)
  const small = Buffer.concat([partOf(1, Buffer.from('one')), partOf(2, Buffer.from(NEXT))])

  for (const byte of small) {
    source.send(Uint8Array.of(byte))
    await new Promise(setImmediate)
  }

  await arrives(viewer, Buffer.concat([Buffer.from(FIRST), small]))
})

const LARGE = Buffer.alloc(400_000, 'x')

test('a picture on its way to a viewer that has stopped reading is not overwritten by later ones', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const [stopped, good] = [await joined(t, tunnel), await joined(t, tunnel)]
  const large = (n: number) => partOf(n, Buffer.alloc(6_000_000, `${n},`))
  stopped.there.pause()

  for (const n of [1, 2, 3]) {
    source.send(large(n))
    const sent = [FIRST, ...Array.from({ length: n }, (_, before) => large(before + 1))]
    await arrives(good, Buffer.concat(sent.map((each) => Buffer.from(each))))
  }
  assert.notEqual(stopped.here.writableLength, 0, 'he has taken all; the test shows nothing')
  stopped.there.resume()

  await arrives(stopped, Buffer.concat([Buffer.from(FIRST), large(1)]))
})

/** The numbers of the pictures in what a viewer received; fails unless each of them is whole. */
const numbersIn = (bytes: Buffer): readonly number[] => {
  const numbers: number[] = []
  for (let at = FIRST.length; at < bytes.length; ) {
    const seq = Number(/X-Sequence: (\d+)/.exec(bytes.toString('latin1', at, at + 200))?.[1])
    const whole = partOf(seq, LARGE)
    if (at + whole.length > bytes.length) break // is still coming
    assert.ok(bytes.subarray(at, at + whole.length).equals(whole), `picture ${seq} is not whole`)
    numbers.push(seq)
    at += whole.length
  }
  return numbers
}

test('who takes nothing misses whole pictures, and costs the others none', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const [steady, stalled] = [await joined(t, tunnel), await joined(t, tunnel)]
  stalled.there.pause()

  let seq = 0
  const send = async () => {
    source.send(partOf(seq++, LARGE))
    await until('the steady one', () => numbersIn(steady.received()).length === seq)
  }
  while (stalled.here.writableLength === 0) await send() // what the kernel holds has an end
  for (let n = 0; n < 5; n++) await send()
  assert.ok(stalled.here.writableLength <= LARGE.length + 1_000, 'more than one picture is held for him')
  stalled.there.resume()
  await until('room', () => stalled.here.writableLength === 0)
  await send()
  await until('the newest', () => stalled.received().includes(`X-Sequence: ${seq - 1}\r\n`))
  await until('all of it', () => stalled.received().subarray(-NEXT.length).equals(Buffer.from(NEXT)))

  const [ofSteady, ofStalled] = [numbersIn(steady.received()), numbersIn(stalled.received())]
  assert.deepEqual(ofSteady, [...ofSteady.keys()])
  assert.ok(ofStalled.length < ofSteady.length)
  assert.deepEqual(
    ofStalled,
    ofStalled.toSorted((a, b) => a - b),
  )
})

test('who takes nothing for too long is let go', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source, { stallMs: 50, lookMs: 10 })
  const [steady, stalled] = [await joined(t, tunnel), await joined(t, tunnel)]
  stalled.there.pause()

  let seq = 0
  while (stalled.left === 0) {
    source.send(partOf(seq++, LARGE))
    await until('the steady one', () => numbersIn(steady.received()).length === seq)
  }

  assert.equal(steady.left, 0)
  assert.equal(steady.here.writable, true)
})

test('when nobody has taken anything for a while, the peer is not listened to until somebody does', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source, { pauseMs: 20, lookMs: 10 })
  const viewer = await joined(t, tunnel)
  viewer.there.pause()
  const connection = () => source.connections[0] as Socket

  let seq = 0
  await until('the peer to have to wait', () => {
    if (connection().writableLength === 0) source.send(partOf(seq++, LARGE))
    return connection().writableLength > LARGE.length / 2
  })
  viewer.there.resume()

  await until('the peer to be rid of it', () => connection().writableLength === 0)
  assert.equal(viewer.left, 0)
})

const problem = (code: string, detail: string) => JSON.stringify({ type: 'x', title: 'x', status: 1, code, detail })
const answered = (status: number, body: string, headers = 'content-type: application/problem+json\r\n') =>
  `HTTP/1.1 ${status} Said\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const REFUSALS: Readonly<Record<string, readonly [answer: string, code: FaultCode, sentence: RegExp]>> = {
  'an unknown stream': [
    answered(404, problem('stream.not_found', 'there is no stream front; there is side')),
    'stream.not_found',
    /says: there is no stream front; there is side/,
  ],
  'an unknown output': [answered(404, problem('output.not_found', 'none')), 'output.not_found', /none/],
  'no words': [answered(404, '<html>', ''), 'stream.not_found', /answers 404/],
  'no pictures yet': [answered(503, problem('stream.no_picture', 'wait')), 'stream.no_picture', /wait/],
  'no place': [answered(429, problem('viewer.too_many', '64')), 'viewer.too_many', /64/],
  'who we are': [answered(401, problem('token.invalid', 'no')), 'peer.refuses_us', /trusted/],
  'what we may': [answered(403, problem('peer.not_trusted', 'no')), 'peer.refuses_us', /trusted/],
  'a broken peer': [answered(500, problem('internal', 'broke')), 'peer.bad_answer', /500/],
  'another place': [answered(302, '', 'location: http://127.0.0.1:1/\r\n'), 'peer.bad_answer', /302/],
  'a page': [answered(200, '<html>', 'content-type: text/html\r\n'), 'peer.bad_answer', /no pictures in parts/],
  'a boundary that is none': [
    'HTTP/1.1 200 OK\r\ncontent-type: multipart/x-mixed-replace; boundary=\r\n\r\n',
    'peer.bad_answer',
    /no pictures in parts/,
  ],
  chunks: [
    PREVIEW_HEAD.replace('connection: close', 'transfer-encoding: chunked'),
    'peer.bad_answer',
    /transfer-encoding/,
  ],
  'compressed pictures': [
    PREVIEW_HEAD.replace('connection: close', 'content-encoding: gzip'),
    'peer.bad_answer',
    /content-encoding/,
  ],
  'an endless head': [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, 'peer.bad_answer', /no end within 8192/],
  'no HTTP': ['\x15\x03\x01\r\n\r\n', 'peer.bad_answer', /HTTPS/],
  'a header that is none': ['HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'peer.bad_answer', /no header/],
}

for (const [what, [answer, code, sentence]] of Object.entries(REFUSALS))
  test(`${what} is told before anything is passed on, however it is cut`, async (t) => {
    const whole = await pictureSource(t, (connection) => connection.end(answer, 'latin1'))
    const cut = await pictureSource(t, (connection) => {
      connection.write(answer.slice(0, 20), 'latin1')
      setImmediate(() => connection.end(answer.slice(20), 'latin1'))
    })

    for (const source of [whole, cut]) {
      const { tunnel } = await open(t, source)

      assert.ok(isFault(tunnel))
      assert.equal(tunnel.code, code, tunnel.detail)
      assert.match(tunnel.detail, sentence)
    }
  })

test('a peer that says nothing, or stops in the head, is too slow', async (t) => {
  const silent = await pictureSource(t, () => {})
  const stopping = await pictureSource(t, (connection) => connection.write(PREVIEW_HEAD.slice(0, -2)))

  for (const source of [silent, stopping]) {
    const { tunnel } = await open(t, source, { answerMs: 60 })

    assert.ok(isFault(tunnel))
    assert.equal(tunnel.code, 'peer.too_slow')
  }
})

test('a refusal whose words do not come is known by its status', async (t) => {
  const words = answered(404, problem('output.not_found', 'none')).slice(0, -9)
  const stopping = await pictureSource(t, (connection) => connection.write(words))
  const leaving = await pictureSource(t, (connection) => connection.end(words))
  t.mock.timers.enable({ apis: ['setTimeout'] })

  for (const source of [stopping, leaving]) {
    const connection = await dialled(t, source)
    const opening = open(t, source, { answerMs: 60 }, connection)
    await until('the words that come', () => connection.bytesRead === words.length)
    await settle()
    t.mock.timers.tick(60)
    const { tunnel } = await opening

    assert.ok(isFault(tunnel))
    assert.equal(tunnel.code, 'stream.not_found')
  }
})

test('a peer that hangs up before it has answered is told of as gone', async (t) => {
  const source = await pictureSource(t, (connection) => connection.end(PREVIEW_HEAD.slice(0, 30)))

  const { tunnel } = await open(t, source)

  assert.ok(isFault(tunnel))
  assert.equal(tunnel.code, 'peer.unreachable')
})

test('when the peer lies, viewers have whole pictures up to there, and are ended', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const viewer = await joined(t, tunnel)
  source.send(A)
  await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A]))

  source.send(Buffer.from('Content-Length: 123456789\r\n\r\n'))

  const fault = await endOf(tunnel)
  await arrival('the end for the viewer', once(viewer.there, 'close'))
  assert.equal(fault.code, 'peer.bad_answer')
  assert.match(fault.detail, /123456789 bytes/)
  await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A]))
  await until('the connection', () => source.connections[0]?.closed)
})

test('a picture that drips, and a head that does, end it', async (t) => {
  for (const begun of ['Content-Length: 900\r\n\r\nxx', 'Content-Le']) {
    const source = await liveSource(t)
    const { tunnel } = await tunnelTo(t, source, { partMs: 80, lookMs: 10 })
    const viewer = await joined(t, tunnel)
    source.send(Buffer.from(begun))
    const drip = setInterval(() => source.send(Buffer.from('-')), 5)
    t.after(() => clearInterval(drip))

    const fault = await endOf(tunnel)

    clearInterval(drip)
    assert.match(fault.detail, /not whole after 0.08 s/)
    await until('his end', () => viewer.left === 1)
  }
})

test('pictures that come one after the other may take longer together than one may', async (t) => {
  let [nowMs, looks] = [0, 0]
  t.mock.method(performance, 'now', () => {
    looks += 1
    return nowMs
  })
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source, { partMs: 300, lookMs: 10 })
  const viewer = await joined(t, tunnel)
  const bytes = Buffer.concat(PARTS)
  let sent = 0

  for (const end of PARTS.map((_, n) => n * 20_000 + 9_000)) {
    source.send(bytes.subarray(sent, end))
    sent = end
    await arrives(viewer, Buffer.concat([Buffer.from(FIRST), bytes.subarray(0, end)]))
    nowMs += 200
    const before = looks
    await until('a look around', () => looks > before)
  }

  assert.equal(viewer.left, 0)
  nowMs += 301 // after the look that saw it begun
  assert.match((await endOf(tunnel)).detail, /not whole after 0.3 s/)
})

test('when the peer ends it, in whatever way, viewers are ended, and it is said', async (t) => {
  const ways: Readonly<Record<string, (connection: Socket) => void>> = {
    closed: (connection) => connection.end(),
    reset: (connection) => connection.resetAndDestroy(),
    'last part': (connection) => connection.write(Buffer.concat([B.subarray(0, -2), Buffer.from('--\r\n')])),
    'within a part': (connection) => connection.end(B.subarray(0, 500)),
  }
  for (const [way, end] of Object.entries(ways)) {
    const source = await liveSource(t)
    const { tunnel } = await tunnelTo(t, source)
    const viewer = await joined(t, tunnel)
    source.send(A)
    await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A]))

    end(source.connections[0] as Socket)

    const fault = await endOf(tunnel)
    await until('his end', () => viewer.left === 1)
    assert.equal(fault.code, 'peer.unreachable', way)
  }
})

test('closing it ends the viewers and the connection at once', async (t) => {
  const source = await liveSource(t)
  const { tunnel, close } = await tunnelTo(t, source)
  const viewer = await joined(t, tunnel)
  source.send(A)
  await arrives(viewer, Buffer.concat([Buffer.from(FIRST), A]))

  await close()

  await until('his end', () => viewer.left === 1)
  await until('the connection', () => source.connections[0]?.closed)
})

test('a viewer who is gone before he is let in has left', async (t) => {
  const source = await liveSource(t)
  const { tunnel } = await tunnelTo(t, source)
  const { here } = await heldViewer(t)
  here.destroy()
  await once(here, 'close')
  let left = 0

  tunnel.join(here, () => {
    left += 1
  })

  assert.equal(left, 1)
})

test('the token goes to the device itself in the clear, and else nowhere that was not checked', async (t) => {
  const source = await liveSource(t)
  const asked = async (target: Partial<PictureSource['target']>) => {
    await open(t, { ...source, target: { ...source.target, ...target } })
    return source.requests.at(-1) ?? ''
  }

  assert.match(await asked({ token: 'secret' }), /\r\nauthorization: Bearer secret\r\n/)
  assert.doesNotMatch(await asked({ token: null }), /authorization/)
  assert.doesNotMatch(await asked({ token: 'two words\r\nx: y' }), /authorization|x: y/)
})

test('a viewer who comes to a tunnel that has ended is ended', async (t) => {
  const source = await liveSource(t)
  const { tunnel, close } = await tunnelTo(t, source)
  await close()

  const viewer = await joined(t, tunnel)

  await until('his end', () => viewer.left === 1)
})
