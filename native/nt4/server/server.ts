// The embedded NT4 server for the bench: one port for WebSockets and a small page. Everything it opens closes with its
// scope.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Nt4AccessRules } from '../../../machines/nt4/access.ts'
import { addressText } from '../../../machines/nt4/target.ts'
import { PONGS } from '../../../machines/websocket/pongs.ts'
import { type Step, serveInTurns, workInTurns } from '../../sockets/reading.ts'
import { TIME_SYNC_ID } from '../codec.ts'
import { FaultThrottle } from '../fault-throttle.ts'
import { takeFrame } from '../frame-parts.ts'
import type { Nt4Listen, Nt4Report, Nt4Server } from '../port.ts'
import { PROTOCOL_40, PROTOCOL_41, PROTOCOL_RTT } from '../protocol.ts'
import { Client } from './client.ts'
import { admit, REFUSAL_STATUS, refuseUpgrade } from './gate.ts'
import type { Hub } from './hub.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import { refuseOldClients } from './old-clients.ts'
import { openHub } from './open-hub.ts'
import { page } from './page.ts'
import { persistentTopics } from './persistence.ts'
import { keepPlaces } from './places.ts'
import { answerUnreadable } from './unreadable.ts'

const { createServer } = process.getBuiltinModule('node:http') // an import would load the whole of fetch

const GOODBYE_LIMIT_MS = 200
/** Has the kernel ask who says nothing: of old clients, and of those that only ask for the time, nobody else does. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 10_000 }
const PROTOCOLS = [PROTOCOL_41, PROTOCOL_40, PROTOCOL_RTT]

/** Starts a server; see Nt4Port.serve. rules: who may speak to it. */
export const serve = (
  rules: Nt4AccessRules,
  at: Nt4Listen,
  report: Nt4Report,
): Effect.Effect<Nt4Server, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const { hub } = yield* Effect.acquireRelease(
      Effect.promise(() => openHub(at.persistentFile, report)),
      ({ close }) => Effect.promise(close),
    )
    const http = yield* Effect.acquireRelease(
      Effect.sync(() => createServer(KEEP_ALIVE, (request, response) => answer(hub, rules, request, response))),
      closeServer,
    )
    const turnedAway = yield* refusals(report)
    yield* Effect.acquireRelease(
      Effect.sync(() => acceptSockets(http, hub, rules, turnedAway)),
      closeSockets,
    )
    refuseOldClients(http, turnedAway)
    keepPlaces(http)
    answerUnreadable(http)
    serveInTurns(http, report)
    yield* listen(http, at)
    const { port } = http.address() as AddressInfo
    http.on('error', (error) =>
      report({ code: 'nt4.not_listening', detail: `the NT4 server had trouble: ${error.message}` }),
    )
    return { host: at.host, port, clients: () => hub.clients.size }
  })

const listen = (http: Server, at: Nt4Listen): Effect.Effect<void, Fault> =>
  Effect.callback((resume) => {
    const failed = (error: NodeJS.ErrnoException) => resume(Effect.fail(listenFault(error, addressText(at))))
    http.once('error', failed)
    http.listen(at.port, at.host, () => {
      http.off('error', failed)
      resume(Effect.void)
    })
  })

const listenFault = (error: NodeJS.ErrnoException, at: string): Fault =>
  error.code === 'EADDRINUSE'
    ? {
        code: 'nt4.port_taken',
        detail: `the NT4 server cannot listen on ${at}: another program does; stop that or serve on another port`,
      }
    : { code: 'nt4.not_listening', detail: `the NT4 server cannot listen on ${at} (${error.code ?? error.message})` }

/** Tells, at a bounded rate, of clients that were not let in: they cannot show why. */
const refusals = (report: Nt4Report) =>
  Effect.gen(function* () {
    let latest = ''
    const throttle = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new FaultThrottle(report, (count) => ({ code: 'nt4.client_refused', detail: latest, context: { count } })),
      ),
      (held) => Effect.sync(() => held.stop()),
    )
    return (reason: string) => {
      latest = `a client of the NT4 server was refused: ${reason}`
      throttle.add(1)
    }
  })

const acceptSockets = (
  http: Server,
  hub: Hub,
  rules: Nt4AccessRules,
  turnedAway: (reason: string) => void,
): WebSocketServer => {
  const sockets = new WebSocketServer({
    ...PONGS,
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  })
  http.on('upgrade', (request, stream, head) => {
    const access = admit(request, rules)
    if (access.outcome === 'passes')
      return sockets.handleUpgrade(request, stream, head, (socket) => welcome(hub, socket, request, access.path))
    turnedAway(access.reason)
    refuseUpgrade(stream, access)
  })
  return sockets
}

const welcome = (hub: Hub, socket: WebSocket, request: IncomingMessage, path: string): void => {
  socket.on('error', () => socket.terminate()) // a broken frame: the library would read on and wait for a goodbye
  const name = nameIn(path)
  // No subprotocol although some were offered: a correct client hangs up; nothing is said to one that does not.
  const offeredUnknown = socket.protocol === '' && request.headers['sec-websocket-protocol'] !== undefined
  if (name === '' || offeredUnknown) socket.close(1002, 'want /nt/<name> and a subprotocol of NT4')
  else if (socket.protocol === PROTOCOL_RTT) answerClocks(hub, socket, request.socket)
  else serveClient(hub, socket, request.socket, new Client(hub.uniqueName(name), socket, request.socket))
}

const serveText = (stream: Socket, client: Client, step: Step): void =>
  workInTurns(stream, () => {
    client.heard()
    return step()
  })

const serveClient = (hub: Hub, socket: WebSocket, stream: Socket, client: Client): void => {
  hub.join(client)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') hub.sentTooMuch(client)
  })
  socket.on('message', (data, isBinary) => {
    client.heard()
    if (isBinary)
      takeFrame(stream, data as Buffer, (part) => {
        client.heard() // what takes its time here is no silence there
        hub.values(client, part)
      })
    else serveText(stream, client, hub.text(client, data.toString()))
  })
  socket.on('ping', () => client.heard())
  socket.on('pong', () => client.heard())
  socket.on('close', () => hub.leave(client))
}

const answerClocks = (hub: Hub, socket: WebSocket, stream: Socket): void => {
  socket.on('message', (data, isBinary) => {
    if (!isBinary || socket.bufferedAmount > 0) return
    takeFrame(stream, data as Buffer, ({ messages }) => {
      for (const message of messages)
        if (message.id === TIME_SYNC_ID) socket.send(hub.timeAnswer(message), { binary: true })
    })
  })
}

/** The client's name in `/nt/<name>`, without what it put behind an `@`; empty when there is none. */
const nameIn = (path: string): string => {
  const encoded = /^\/nt\/([^?#]*)/.exec(path)?.[1] ?? ''
  try {
    return decodeURIComponent(encoded).split('@')[0] as string
  } catch {
    return ''
  }
}

const answer = (hub: Hub, rules: Nt4AccessRules, request: IncomingMessage, response: ServerResponse): void => {
  const send = (status: number, type: string, text: string) =>
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(text)
  const { method } = request
  const access = admit(request, rules)
  if (access.outcome !== 'passes') send(REFUSAL_STATUS[access.outcome], 'text/plain', `${access.reason}\n`)
  else if (method !== 'GET' && method !== 'HEAD') send(405, 'text/plain', 'only GET\n')
  else if (access.path === '/') send(200, 'text/html', page(hub))
  else if (access.path === '/nt/persistent.json')
    send(200, 'application/json', JSON.stringify(persistentTopics(hub.topics.all())))
  else send(404, 'text/plain', 'nothing here; this is an NT4 server\n')
}

const closeSockets = (sockets: WebSocketServer) =>
  Effect.callback<void>((resume) => {
    sockets.close(() => resume(Effect.void))
    for (const socket of sockets.clients) socket.close(1001, 'the server is closing')
    const timer = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, GOODBYE_LIMIT_MS)
    timer.unref()
    return Effect.sync(() => clearTimeout(timer))
  })

const closeServer = (http: Server) =>
  Effect.callback<void>((resume) => {
    http.close(() => resume(Effect.void))
    http.closeAllConnections()
  })
