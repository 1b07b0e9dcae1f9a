// Looks at strangers on the loopback: at those who are what they say, and at those who break the rules.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type BaseUrl, baseUrlOf } from '../../../machines/discovery/base-url.ts'
import type { ProbeFinding } from '../../../machines/discovery/probe-result.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import type { HeardHello } from '../../../machines/interdevice/hello.ts'
import { socketLooks } from '../../../native/discovery/looks.ts'
import { DEFAULT_LIMITS, probeAt } from '../../../native/discovery/probe.ts'
import type { Refusal } from '../../../native/names/allowed-addresses.ts'
import type { Lookup } from '../../../native/names/lookup.ts'
import { lateLookup } from '../../support/peers/late-lookup.ts'
import { httpStranger, rawStranger, tlsStranger } from '../../support/peers/strangers.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { arrival, until } from '../../support/until.ts'

const PATIENT = { connectMs: 60_000, helloMs: 60_000, allMs: 60_000 } // what answers is waited for, on whatever machine
const HASTY = { connectMs: 400, helloMs: 400, allMs: 700 }
const anyone: Refusal = () => undefined

const seenAt = async (at: BaseUrl, limits = PATIENT, lookup?: Lookup): Promise<ProbeFinding> => {
  const seen = await socketLooks(lookup, limits).probe(at, anyone)
  assert.ok(!isFault(seen), isFault(seen) ? seen.detail : '')
  return seen
}

const hello: HeardHello = {
  device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  protocol_version: '1.3',
  capabilities: ['proxy_streams', 'something_newer'],
  name: 'front',
}

const json = (response: ServerResponse, document: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))

const page = (response: ServerResponse, title: string): void =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><head><title>${title}</title></head></html>`)

test('a device that greets is native, and shows no more of itself than a greeting has', async (t) => {
  const device = await httpStranger(t, (_, response) => json(response, { ...hello, motto: 'x', constructor: 1 }))

  const seen = await seenAt(device.at)

  assert.deepEqual(seen, { kind: 'native', hello, fingerprint: null, fault: null })
  assert.deepEqual(device.asked, ['/v1/interdevice/hello'])
})

test('over TLS the certificate need not be good, and its fingerprint is shown', async (t) => {
  const device = await tlsStranger(t, (_, response) => json(response, hello))

  const seen = await seenAt(device.at)

  assert.deepEqual([seen.kind, seen.fingerprint], ['native', device.fingerprint])
})

test('the other vision product is known by what it says of its state, or by its page', async (t) => {
  const newer = await httpStranger(t, ({ url }, response) =>
    url === '/api/status' ? void response.end('not dead yet') : void response.writeHead(404).end(),
  )
  const older = await httpStranger(t, ({ url }, response) =>
    url === '/' ? page(response, 'Photon Client') : void response.writeHead(404).end(),
  )

  assert.equal((await seenAt(newer.at)).kind, 'extvision')
  assert.equal((await seenAt(older.at)).kind, 'extvision')
})

test('an HTTP server that does not greet is a legacy one, whatever it answers', async (t) => {
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'a 404': (response) => void response.writeHead(404).end('no'),
    'a page': (response) => page(response, 'A camera'),
    'a 401': (response) => void response.writeHead(401).end(),
    'no JSON': (response) => void response.writeHead(200).end('{"device_id":'),
  }

  for (const [what, answer] of Object.entries(answers)) {
    const { at } = await httpStranger(t, (_, response) => answer(response))
    const seen = await seenAt(at)
    assert.deepEqual(seen, { kind: 'legacy', hello: null, fingerprint: null, fault: null }, what)
  }
})

test('of an endless page no more is read than the limit', async (t) => {
  let read = 0
  const { at } = await httpStranger(t, (_, response) => {
    response.writeHead(200)
    const { socket } = response
    const more = () => {
      while (response.write('x'.repeat(10_000)));
      response.once('drain', more)
    }
    more()
    response.once('close', () => {
      read = Math.max(read, socket?.bytesWritten ?? 0)
    })
  })

  const { kind } = await seenAt(at, { ...PATIENT, helloMs: 3_000, allMs: 3_000 })

  assert.equal(kind, 'legacy')
  await until('that the server has noticed', () => read > 0)
  assert.ok(read < 20_000_000, `${read} bytes left the server`) // the kernel's buffers hold some MB on either side
})

test('a greeting that is none is told of, and is none', async (t) => {
  const wrong: readonly object[] = [
    { ...hello, device_id: 'front' },
    { ...hello, protocol_version: 'one' },
    { ...hello, capabilities: Array.from({ length: 65 }, () => 'x') },
    { ...hello, name: 'x'.repeat(254) },
    [],
  ]

  for (const document of wrong) {
    const { at } = await httpStranger(t, (_, response) => json(response, document))
    const seen = await seenAt(at)
    assert.deepEqual([seen.kind, seen.hello, seen.fault?.code], ['legacy', null, 'peer.bad_answer'])
  }
})

test('a device that cannot greet at present is not said to be well', async (t) => {
  const problem = { code: 'identity.not_kept', detail: 'nobody', status: 503 }
  const { at } = await httpStranger(t, (_, response) => json(response, problem, 503))

  const { kind, fault } = await seenAt(at)

  assert.deepEqual([kind, fault?.code], ['legacy', 'peer.bad_answer'])
  assert.match(fault?.detail ?? '', /cannot greet at present \(503\)/)
})

test('a redirect is not followed, not even to a device that greets', async (t) => {
  const device = await httpStranger(t, (_, response) => json(response, hello))
  const stranger = await httpStranger(
    t,
    ({ url }, response) => void response.writeHead(302, { location: `${device.at.origin}${url}` }).end(),
  )

  assert.equal((await seenAt(stranger.at)).kind, 'legacy')
  assert.equal(device.sockets(), 0)
})

/**
 * A look at one that is asked for its greeting, and then twice more, and answers not all of that: each time is over as
 * soon as `heard` says that so many questions have come as far as they come.
 */
const seenLate = async (t: TestContext, at: BaseUrl, heard: () => number): Promise<ProbeFinding> => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const looking = seenAt(at)
  await until('the greeting', () => heard() === 1)
  t.mock.timers.tick(PATIENT.helloMs)
  await until('the other questions', () => heard() === 3)
  t.mock.timers.tick(PATIENT.allMs)
  const seen = await arrival('the end', looking)
  t.mock.timers.reset()
  return seen
}

test('an old device that never answers what it does not know is a legacy one', async (t) => {
  let heard = 0
  const count = () => {
    heard += 1
  }
  const { at } = await httpStranger(t, ({ url, socket }, response) => {
    if (url !== '/') return count()
    socket.once('close', count) // its answer has been taken
    page(response, 'A camera')
  })

  assert.equal((await seenLate(t, at, () => heard)).kind, 'legacy')
})

test('why nobody answers is said: no such host, nobody there, silence, another protocol', async (t) => {
  let heard = 0
  const silent = await rawStranger(t, (socket) => {
    socket.once('data', () => {
      heard += 1
    })
  })
  const rude = await rawStranger(t, (socket) => socket.end('SSH-2.0-nobody\r\n'))
  const plain = await httpStranger(t, (_, response) => json(response, hello))
  const gone = baseUrlOf('127.0.0.1', await freePort())
  const unknown: Lookup = (_host, _options, found) => found(new Error('ENOTFOUND'), '')
  const slowToSay: Lookup = () => {}
  const reasonOf = async (...asked: Parameters<typeof seenAt>) => {
    const { kind, fault } = await seenAt(...asked)
    assert.equal(kind, null)
    return [fault?.code, fault?.detail ?? ''] as const
  }

  assert.deepEqual((await reasonOf(gone))[0], 'peer.unreachable')
  assert.match((await reasonOf(baseUrlOf('front.local', 5800), PATIENT, unknown))[1], /nobody knows where front.local/)
  assert.match((await reasonOf(baseUrlOf('front.local', 5800), HASTY, slowToSay))[1], /nobody says in time/)
  assert.equal((await seenLate(t, silent.at, () => heard)).fault?.code, 'peer.too_slow')
  const [code, detail] = await reasonOf(rude.at)
  assert.equal(code, 'peer.bad_answer')
  assert.match(detail, /is it https instead of http/)
  const overTls = await reasonOf(baseUrlOf('127.0.0.1', plain.at.port, true))
  assert.match(overTls[1], /speaks no TLS there \(ERR_SSL_\w+\); is it http instead of https/)
})

test('an answer that drips is cut in time', async (t) => {
  const seenOf = async (head: string) => {
    let heard = 0
    const { at } = await rawStranger(t, (socket) => {
      socket.write(head)
      let drops = 0
      const drip = () => {
        socket.write('x')
        drops += 1
        if (drops === 3) heard += 1 // the head was read before
      }
      const timer = setInterval(drip, 20)
      socket.once('close', () => clearInterval(timer))
    })
    return seenLate(t, at, () => heard)
  }

  assert.equal((await seenOf('HTTP/1.1 200 OK\r\nx-a: ')).fault?.code, 'peer.too_slow')
  assert.equal((await seenOf('HTTP/1.1 200 OK\r\n\r\n')).kind, 'legacy')
})

test('a host is asked at the address that was judged, and at no other', async (t) => {
  const device = await httpStranger(t, (_, response) => json(response, hello))
  const names: string[] = []
  const moving: Lookup = (host, _options, found) => {
    names.push(host)
    found(null, [{ address: names.length === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }])
  }
  const judged: string[] = []
  const at = baseUrlOf('front.local', device.at.port)

  const seen = await socketLooks(moving, PATIENT).probe(at, (address) => void judged.push(address))

  assert.ok(!isFault(seen) && seen.kind === 'native')
  assert.deepEqual([names, judged], [['front.local'], ['127.0.0.1']])
})

test('what may not be looked at is not connected to', async (t) => {
  const device = await httpStranger(t, (_, response) => json(response, hello))
  const refused = { code: 'token.required', detail: 'not there' } as const

  assert.deepEqual(await socketLooks().probe(device.at, () => refused), refused)
  assert.equal(device.sockets(), 0)
})

test('few looks are under way at a time', async (t) => {
  const silent = await rawStranger(t, () => {})
  const looks = socketLooks(undefined, HASTY)

  const seen = await Promise.all(Array.from({ length: 9 }, () => looks.probe(silent.at, anyone)))

  assert.deepEqual(
    seen.filter(isFault).map(({ code }) => code),
    ['service.busy'],
  )
})

test('one whose name is found late, and who then says nothing, is given up in time', async (t) => {
  const { lookup, found, tick, nowMs } = lateLookup(t)
  let asked = 0
  const slow = await rawStranger(t, (socket) => {
    socket.once('data', () => {
      asked += 1
    })
  })
  const looking = probeAt(baseUrlOf('slow.test', slow.at.port), anyone, { lookup, limits: DEFAULT_LIMITS, nowMs })

  tick(1_400)
  found('127.0.0.1')
  await until('the greeting', () => asked === 1)
  tick(600)
  await until('the other questions', () => asked === 3)
  tick(900)

  const seen = await arrival('the end, 2.9 s after the beginning', looking)
  assert.equal(!isFault(seen) && seen.fault?.code, 'peer.too_slow')
})
