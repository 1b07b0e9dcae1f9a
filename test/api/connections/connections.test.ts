// How many may be connected, and who has to go when there are more: over real sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { connect as tlsConnect } from 'node:tls'
import WebSocket from 'ws'
import { area } from '../../../api/endpoints/endpoint.ts'
import { file } from '../../../api/endpoints/file.ts'
import { read } from '../../../api/endpoints/read.ts'
import { type ApiParts, listen } from '../../../api/server/server.ts'
import { MAX_CONNECTIONS, MAX_PER_ADDRESS } from '../../../machines/http/admission.ts'
import Type from '../../../machines/schema/type.ts'
import { type Answered, assertProblem, fakeApi, listeningApi } from '../../support/api/api.ts'
import { crowd, stillThere } from '../../support/api/crowd.ts'
import { viewer } from '../../support/api/preview.ts'
import { answerOn } from '../../support/api/raw-http.ts'
import { madeElsewhere, shakeHands } from '../../support/peers/certificates.ts'
import { arrival, until } from '../../support/until.ts'

const HEALTH = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
const HALF_A_HEAD = 'GET /v1/health HTTP/1.1\r\nHost: loc'
const HALF_A_BODY = [
  'POST /v1/streams/validate HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 1000',
  '',
  '{',
].join('\r\n')
const AT_WORK = HEALTH.replace('\r\n\r\n', '\r\nAuthorization: Bearer nobody-knows\r\n\r\n') // see busyApi

// As /proc/net/tcp says them.
const ESTABLISHED = '01'
const KEEPS_ALIVE = '02:'

const ask = async (port: number, from = '127.0.0.1', to = '127.0.0.1'): Promise<Answered> => {
  const socket = connect({ port, host: to, localAddress: from })
  await arrival('a connection', once(socket, 'connect'))
  socket.write(HEALTH)
  return answerOn(socket)
}

const LARGE = '/v1/large'
const PLAYED = '/v1/played'
const getOf = (path: string): string => HEALTH.replace('/v1/health', path)

/**
 * Answers without end, a download and what is played to a viewer, beside one that is short. begun, ended: those of
 * which something was sent, and which nobody takes any more.
 */
const endlessArea = () => {
  const [begun, ended] = [new Set<string>(), new Set<string>()]
  const endless = (path: string) =>
    new Readable({
      read() {
        begun.add(path)
        this.push(Buffer.alloc(65_536))
      },
      destroy(_error, done) {
        ended.add(path)
        done()
      },
    })
  const mediaType = 'application/octet-stream'
  const row = { summary: 'Without end', mediaType }
  const large = { name: 'large', mediaType, sizeBytes: 1e12, etag: '"1"', isShown: false, close: async () => {} }
  const rows = area('endless', 'Answers without end.', [
    file('GET', LARGE, { ...row, open: () => ({ ...large, stream: () => endless(LARGE) }) }),
    file('GET', PLAYED, { ...row, open: () => ({ mediaType, parts: endless(PLAYED) }) }),
    read('GET', '/v1/health', { summary: 'Short', answer: Type.Object({}), example: {}, get: () => ({}) }),
  ])
  return { begun, ended, rows }
}

/** Whether a connection still answers. */
const answers = async (socket: Socket): Promise<boolean> => {
  if (socket.closed) return false
  socket.write(HEALTH)
  return (await answerOn(socket)).status === 200
}

/** An API whose requests with a token are at work until `finish`. */
const busyApi = async (t: TestContext, parts: Partial<ApiParts> = {}) => {
  let finish = () => {}
  const finished = new Promise<boolean>((resolve) => {
    finish = () => resolve(true)
  })
  let atWork = 0
  const api = await fakeApi(t, {
    ...parts,
    verifyToken: () => {
      atWork += 1
      return finished
    },
  })
  t.after(finish)
  return { ...api, finish, atWork: () => atWork }
}

for (const [what, says] of [
  ['say nothing', undefined],
  ['asked once and keep the connection', HEALTH],
  ['never finish their headers', HALF_A_HEAD],
  ['never finish their body', HALF_A_BODY],
] as const) {
  test(`three hundred connections that ${what} lock out neither others nor their own client`, async (t) => {
    const { port, bugs } = await listeningApi(t)

    const idle = await crowd(t, port, 300, says === undefined ? {} : { says })
    for (const socket of idle) socket.resume() // whatever is answered

    assert.equal((await ask(port)).status, 200)
    assert.equal((await ask(port, '127.0.0.2')).status, 200)
    const gone = () => 300 - stillThere(idle)
    await until('the end of those that were too many', gone, (count) => count >= 300 - MAX_CONNECTIONS + 2)
    assert.ok(gone() <= 300 - MAX_CONNECTIONS + 3, `${gone()} had to go`)
    assert.deepEqual(bugs, [])
  })
}

test('the connection that has been idle longest goes first', async (t) => {
  const { port } = await listeningApi(t)
  const [first, ...rest] = await crowd(t, port, MAX_CONNECTIONS)
  first?.write(HEALTH)
  await arrival('an answer', once(first as Socket, 'data'))

  await ask(port)

  await until(
    'the end of the second',
    () => rest[0]?.closed,
    (closed) => closed === true,
  )
  assert.equal(stillThere(rest), rest.length - 1)
  assert.ok(await answers(first as Socket), 'the one that asked in between')
})

test('a trickle of bytes does not keep a connection', async (t) => {
  const { port } = await listeningApi(t)
  const [slow] = await crowd(t, port, 1, { says: HALF_A_BODY })
  const trickle = setInterval(() => slow?.write(' '), 5)
  t.after(() => clearInterval(trickle))
  await ask(port) // its headers have arrived by now
  const rest = await crowd(t, port, MAX_CONNECTIONS - 1)

  assert.equal((await ask(port)).status, 200)

  await until(
    'the end of the slow one',
    () => slow?.closed,
    (closed) => closed === true,
  )
  assert.equal(stillThere(rest), rest.length)
})

test('who watches or listens is not sent away for a newcomer', async (t) => {
  const { port, url, fake } = await listeningApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const watching = await viewer(t, `${url}/v1/streams/front/preview`)
  const listening = new WebSocket(`${url.replace('http', 'ws')}/v1/events`)
  t.after(() => listening.terminate())
  await arrival('an open feed', once(listening, 'open'))

  const idle = await crowd(t, port, 300)
  assert.equal((await ask(port)).status, 200)

  await until(
    'the end of those that were too many',
    () => stillThere(idle),
    (count) => count <= MAX_CONNECTIONS - 2,
  )
  assert.ok(watching.isOpen())
  assert.equal(listening.readyState, WebSocket.OPEN)
})

for (const path of ['/v1/events', '/v1/interdevice/events'])
  test(`three hundred who listen at ${path} keep nobody else away, and miss nothing`, async (t) => {
    const { port, url, fake } = await listeningApi(t)
    const listener = async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
      t.after(() => socket.terminate())
      const heard: string[] = []
      socket.on('message', (data) => heard.push((JSON.parse(String(data)) as { readonly kind: string }).kind))
      await arrival('an open feed', once(socket, 'open'))
      return { socket, heard }
    }
    const listeners: Awaited<ReturnType<typeof listener>>[] = []
    for (let n = 0; n < 300; n++) listeners.push(await listener())
    const idle = await crowd(t, port, MAX_CONNECTIONS - 1)

    assert.equal((await ask(port)).status, 200)
    await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })

    await until('the event', () => listeners.every(({ heard }) => heard.includes('stream_changed')))
    assert.equal(stillThere(idle), idle.length)
  })

test('when all connections are at work a newcomer is told so, and those at work are answered', async (t) => {
  const { app, finish, atWork } = await busyApi(t)
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const busy = await crowd(t, port, MAX_CONNECTIONS, { says: AT_WORK })
  await until('the requests', atWork, (count) => count === MAX_CONNECTIONS)

  const { detail } = assertProblem(await ask(port), 'service.busy')
  const more = await crowd(t, port, 300) // nor do those who never ask keep others from being told
  assertProblem(await ask(port), 'service.busy')
  finish()

  assert.match(
    detail,
    /^256 connections from 127\.0\.0\.1 are open and none of them is idle; at most 256 are served; try again/,
  )
  assert.equal((await answerOn(busy[0] as Socket)).status, 200)
  assert.equal((await answerOn(busy.at(-1) as Socket)).status, 200)
  await until(
    'room',
    async () => (await ask(port)).status,
    (status) => status === 200,
  )
  assert.ok(stillThere(more) < 300)
})

test('a download that nobody reads keeps its place from no one; who watches a recording keeps his', async (t) => {
  const { begun, ended, rows } = endlessArea()
  const { app, atWork } = await busyApi(t, { areas: () => [rows] })
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  await crowd(t, port, 1, { says: getOf(LARGE) })
  await crowd(t, port, 1, { says: getOf(PLAYED) })
  await until('both answers', () => begun.size === 2)
  await crowd(t, port, MAX_CONNECTIONS - 2, { says: AT_WORK })
  await until('the requests', atWork, (count) => count === MAX_CONNECTIONS - 2)

  assert.equal((await ask(port)).status, 200)

  await until('the end of the download', () => ended.size > 0)
  assert.deepEqual([...ended], [LARGE])
})

test('a newcomer that found no place gets one that has become free when it asks', async (t) => {
  const { app, finish, atWork } = await busyApi(t)
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const busy = await crowd(t, port, MAX_CONNECTIONS, { says: AT_WORK })
  await until('the requests', atWork, (count) => count === MAX_CONNECTIONS)
  const [newcomer] = await crowd(t, port, 1)

  finish()
  await answerOn(busy[0] as Socket)

  assert.ok(await answers(newcomer as Socket))
})

test('connections that never shake hands do not lock out those who do', async (t) => {
  const { app } = await fakeApi(t, { tls: await madeElsewhere({ keyType: 'ec' }) })
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const watching = new WebSocket(`wss://127.0.0.1:${port}/v1/events`, { rejectUnauthorized: false })
  t.after(() => watching.terminate())
  await arrival('an open feed', once(watching, 'open'))

  const silent = await crowd(t, port, 300, { says: '\x16\x03\x01' })
  await shakeHands(port)

  await until(
    'the end of those that were too many',
    () => stillThere(silent),
    (count) => count < MAX_CONNECTIONS,
  )
  assert.equal(watching.readyState, WebSocket.OPEN)
})

test('over TLS too, who is at work stays and a newcomer is told why not', async (t) => {
  const { app, finish, atWork } = await busyApi(t, { tls: await madeElsewhere({ keyType: 'ec' }) })
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const encrypted = async (says: string): Promise<Socket> => {
    const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    t.after(() => socket.destroy())
    await arrival('a handshake', once(socket, 'secureConnect'))
    socket.write(says)
    return socket
  }
  for (let n = 0; n < MAX_CONNECTIONS; n += 1) await encrypted(AT_WORK)
  await until('the requests', atWork, (count) => count === MAX_CONNECTIONS)

  assertProblem(await answerOn(await encrypted(HEALTH)), 'service.busy')

  finish()
})

/** Whether the system asks whoever is connected to a port now and then if they are still there. */
const asksWhoIsThere = async (port: number): Promise<boolean> => {
  const at = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const connections = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return connections.some(
    ([, local, , state, , timer]) => local?.endsWith(at) && state === ESTABLISHED && timer?.startsWith(KEEPS_ALIVE),
  )
}

test('whoever vanishes while there is nothing to tell is noticed by the system', async (t) => {
  for (const [kind, parts] of [
    ['ws', {}],
    ['wss', { tls: await madeElsewhere({ keyType: 'ec' }) }],
  ] as const) {
    const { port } = await listeningApi(t, parts)
    const watching = new WebSocket(`${kind}://127.0.0.1:${port}/v1/events`, { rejectUnauthorized: false })
    t.after(() => watching.terminate())
    await arrival('an open feed', once(watching, 'open'))

    await until(`that it is asked, over ${kind}`, () => asksWhoIsThere(port)) // before, its first bytes have a timer
  }
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((each) => each && !each.internal && each.family === 'IPv4')?.address

test('an address of the network may have so many and no more, and others do not notice', async (t) => {
  if (!outside) return t.skip('this machine has no address but its loopback')
  const { app } = await fakeApi(t)
  const { port } = await listen(app, { host: '0.0.0.0', port: 0 })
  const from = { from: outside, to: outside }
  const sockets = Array.from({ length: MAX_PER_ADDRESS }, () => {
    const socket = new WebSocket(`ws://${outside}:${port}/v1/events`)
    t.after(() => socket.terminate())
    return once(socket, 'open')
  })
  await Promise.all(sockets)

  const { detail } = assertProblem(await ask(port, outside, outside), 'service.busy')
  const more = await crowd(t, port, 300, from)

  assert.match(detail, /^64 connections from .* are open and none of them is idle; at most 64 are served;/)
  assert.equal((await ask(port)).status, 200)
  await until(
    'the end of those that were too many',
    () => stillThere(more),
    (count) => count < MAX_PER_ADDRESS,
  )
  assertProblem(await ask(port, outside, outside), 'service.busy')
})
