// NT4 in tests: sessions and servers that end with the test, and crude peers that break the rules.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { WebSocket, WebSocketServer } from 'ws'
import type { Fault } from '../../../machines/errors/fault.ts'
import { decodeFrame, type Nt4Message, WIRE, type WireType } from '../../../native/nt4/codec.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import type { Nt4Server, Nt4Session, Nt4SubscribeOptions, Nt4Update, Nt4Value } from '../../../native/nt4/port.ts'
import { PROTOCOL_41 } from '../../../native/nt4/protocol.ts'
import type { Lifetime } from '../lifetime.ts'
import { arrival, until } from '../until.ts'
import { wsNt4 } from './ws-nt4.ts'

/** Servers and sessions over real sockets on the loopback. faults: everything that was reported. */
export interface Nt4Lab {
  readonly faults: Fault[]
  readonly serve: (options?: { readonly port?: number; readonly persistentFile?: string }) => Promise<Nt4Server>
  readonly connect: (port: number, name?: string) => Promise<Nt4Session>
  /** Closes a server or session before the test does. */
  readonly end: (thing: Nt4Server | Nt4Session) => Promise<void>
}

export const nt4Lab = (t: Lifetime): Nt4Lab => {
  const faults: Fault[] = []
  const report = (fault: Fault) => faults.push(fault)
  const scopes = new Map<Nt4Server | Nt4Session, Scope.Closeable>()
  const close = (scope: Scope.Closeable) => Effect.runPromise(Scope.close(scope, Exit.void))
  const open = async <Thing extends Nt4Server | Nt4Session>(effect: Effect.Effect<Thing, Fault, Scope.Scope>) => {
    const scope = Scope.makeUnsafe()
    t.after(() => close(scope))
    const thing = await Effect.runPromise(Scope.provide(effect, scope))
    scopes.set(thing, scope)
    return thing
  }
  return {
    faults,
    serve: ({ port = 0, persistentFile } = {}) =>
      open(wsNt4.serve({ host: '127.0.0.1', port, persistentFile: persistentFile ?? null }, report)),
    connect: (port, name = 'tester') => open(wsNt4.connect({ host: '127.0.0.1', port, name }, report)),
    end: (thing) => close(scopes.get(thing) as Scope.Closeable),
  }
}

/** Collects a subscription's updates. */
export const gather = (session: Nt4Session, topics: readonly string[], options: Nt4SubscribeOptions = {}) => {
  const updates: Nt4Update[] = []
  const stop = session.subscribe(topics, { periodic: 0.01, ...options }, (update) => updates.push(update))
  const atLeast = (count: number) =>
    until(
      `${count} updates of ${topics}`,
      () => updates.map(({ topic, value }) => [topic.name, value]),
      ({ length }) => length >= count,
    )
  return { updates, stop, atLeast }
}

/** A further client whose subscription the server already knows of. */
export const listener = async (
  lab: Nt4Lab,
  port: number,
  topics: readonly string[],
  options: Nt4SubscribeOptions = {},
) => {
  const session = await lab.connect(port, 'listener')
  const heard = gather(session, topics, options)
  await caughtUp(session)
  return heard
}

/**
 * Waits until the server has dealt with all that the session has asked for: it answers one question after the other.
 */
export const caughtUp = async (session: Nt4Session): Promise<void> => {
  const { atLeast, stop } = gather(session, ['$serverpub'])
  await atLeast(1)
  stop()
}

/**
 * Waits until a condition holds; names it by its source. For facts that no event announces and that say nothing by
 * themselves.
 */
export const eventually = (condition: () => unknown): Promise<unknown> => until(`${condition}`, condition)

/** One encoded message. */
export const message = (id: number, timestampUs: number, wireType: WireType, value: Nt4Value): Buffer => {
  const encoder = new MessageEncoder()
  encoder.begin(true)
  if (!encoder.put(id, timestampUs, wireType, value)) throw new Error('the value does not fit')
  return encoder.take()
}

/** A client that says exactly what it is told to, and remembers what it hears. */
export const crudeClient = async (
  t: TestContext,
  port: number,
  {
    path = '/nt/crude',
    protocols = [PROTOCOL_41],
    ...options
  }: { path?: string; protocols?: string[]; maxPayload?: number; origin?: string } = {},
) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, options)
  const heard: { method: string; params: Record<string, unknown> }[] = []
  const values: Nt4Message[] = []
  socket.on('error', () => {})
  socket.on('message', (data, isBinary) => {
    if (isBinary) values.push(...decodeFrame(data as Buffer).messages)
    else heard.push(...JSON.parse(data.toString()))
  })
  t.after(() => socket.terminate())
  await arrival('the server', new Promise((resolve) => socket.on('open', resolve).on('close', resolve)))
  const say = (...elements: [method: string, params: object][]) =>
    socket.send(JSON.stringify(elements.map(([method, params]) => ({ method, params }))))
  const announced = (name: string) =>
    heard.filter(({ method, params }) => method === 'announce' && params.name === name).map(({ params }) => params)
  return { socket, heard, values, say, announced }
}

/** A server that keeps time, its own by `timeUs`, and otherwise does exactly what it is told to. */
export const crudeServer = async (
  t: TestContext,
  { protocol = PROTOCOL_41, keepsTime = true, timeUs = (): number => 5_000_000_000, onMessage = () => {} } = {},
) => {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    autoPong: false,
    handleProtocols: (offered) => offered.has(protocol) && protocol,
  })
  const sockets: WebSocket[] = []
  const values: Nt4Message[] = []
  const texts: string[] = []
  let silent = false
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('ping', () => silent || socket.pong())
    socket.on('message', (data, isBinary) => {
      onMessage()
      if (!isBinary) texts.push(data.toString())
      if (!isBinary || silent || !keepsTime) return
      for (const one of decodeFrame(data as Buffer).messages)
        if (one.id === -1) socket.send(message(-1, timeUs(), WIRE.int, one.value))
        else values.push(one)
    })
  })
  t.after(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  await arrival('a port of a crude server', once(server, 'listening'))
  return {
    port: (server.address() as AddressInfo).port,
    /** Sends raw frames to all clients. */
    send: (...frames: (string | Buffer)[]) => {
      for (const socket of sockets) for (const frame of frames) socket.send(frame)
    },
    sockets,
    /** What clients have written and said. */
    values,
    texts,
    goSilent: () => {
      silent = true
    },
  }
}
