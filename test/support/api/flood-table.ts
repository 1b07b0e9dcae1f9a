// Floods against sockets: who sends what to the service, and what a robot and another client feel of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { decodeFrame, TIME_SYNC_ID, WIRE } from '../../../native/nt4/codec.ts'
import { element, textFrame } from '../../../native/nt4/control.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import { PROTOCOL_41, PROTOCOL_RTT } from '../../../native/nt4/protocol.ts'
import { until } from '../until.ts'
import type { FloodOrder } from './flooder.ts'
import { FLOODS, type FloodName } from './floods.ts'

const FLOODER = fileURLToPath(new URL('flooder.ts', import.meta.url))
const ASK_EVERY_MS = 5
const LOOK_EVERY_MS = 20

/** Where a service is that serves NT4 and has a stream called `front`. */
export interface Flooded {
  readonly httpPort: number
  readonly tlsPort: number
  readonly nt4Port: number
  /** The ports of that stream as the vendor's camera. */
  readonly resultsPort: number
  readonly pushPort: number
}

/** What somebody felt in a while, each at its worst, in milliseconds. */
export interface Felt {
  /** Between two heartbeats. */
  readonly heartbeat: number
  /** For an answer about the robot's clock. */
  readonly clock: number
  /** For one over HTTP. */
  readonly call: number
}

/** A robot program and somebody who calls the API, all the time. */
export class Judge {
  readonly #flooded: Pick<Flooded, 'httpPort'> & Partial<Flooded>
  readonly #robot: WebSocket | undefined
  readonly #encoder = new MessageEncoder()
  readonly #timers: NodeJS.Timeout[] = []
  #heartbeats = 0
  #heartbeatMs = 0
  #worst = { heartbeat: 0, clock: 0, call: 0 }
  #waiting: { readonly kind: 'clock' | 'call'; readonly sinceMs: number }[] = []

  constructor(flooded: Pick<Flooded, 'httpPort'> & Partial<Flooded>) {
    this.#flooded = flooded
    this.#timers.push(setInterval(() => this.#call(), LOOK_EVERY_MS))
    if (flooded.nt4Port === undefined) return
    const robot = new WebSocket(`ws://127.0.0.1:${flooded.nt4Port}/nt/judge`, [PROTOCOL_41])
    this.#robot = robot
    robot.on('open', () => {
      const options = { periodic: 0.01, all: true }
      robot.send(textFrame([element('subscribe', { topics: ['/limelight/hb'], subuid: 1, options })]))
      this.#timers.push(setInterval(() => this.#askForTheTime(), ASK_EVERY_MS))
    })
    robot.on('message', (data, isBinary) => {
      if (isBinary) for (const { id } of decodeFrame(data as Buffer).messages) this.#hear(id === TIME_SYNC_ID)
    })
  }

  /** Waits until heartbeats come. */
  async begin(): Promise<void> {
    if (this.#robot) await until('heartbeats', () => this.#heartbeats > 2)
  }

  /** Whether the robot has its connection still. */
  get isLinked(): boolean {
    return this.#robot?.readyState === WebSocket.OPEN
  }

  /** What is felt within a time; whoever still waits at its end has waited so long. */
  async felt(ms: number): Promise<Felt> {
    const nowMs = performance.now()
    this.#worst = { heartbeat: 0, clock: 0, call: 0 }
    this.#heartbeatMs = nowMs
    this.#waiting = []
    await delay(ms)
    const endMs = performance.now()
    for (const { kind, sinceMs } of this.#waiting) this.#note(kind, endMs - sinceMs)
    if (this.#robot) this.#note('heartbeat', endMs - this.#heartbeatMs)
    return this.#worst
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#robot?.terminate()
  }

  #note(kind: keyof Felt, ms: number): void {
    this.#worst = { ...this.#worst, [kind]: Math.max(this.#worst[kind], ms) }
  }

  #hear(isAboutTime: boolean): void {
    if (isAboutTime) this.#answered('clock')
    else this.#heartbeat()
  }

  #heartbeat(): void {
    const nowMs = performance.now()
    this.#note('heartbeat', nowMs - this.#heartbeatMs)
    this.#heartbeatMs = nowMs
    this.#heartbeats += 1
  }

  /** Answers come in the order of the questions. */
  #answered(kind: 'clock' | 'call', asked?: object): void {
    const at = this.#waiting.findIndex((each) => (asked ? each === asked : each.kind === kind))
    const [question] = at < 0 ? [] : this.#waiting.splice(at, 1)
    if (question) this.#note(kind, performance.now() - question.sinceMs)
  }

  #askForTheTime(): void {
    this.#waiting.push({ kind: 'clock', sinceMs: performance.now() })
    this.#encoder.begin(true)
    this.#encoder.put(TIME_SYNC_ID, 0, WIRE.int, Math.round(performance.now() * 1_000))
    this.#robot?.send(this.#encoder.take())
  }

  #call(): void {
    if (this.#waiting.some(({ kind }) => kind === 'call')) return
    const asked = { kind: 'call', sinceMs: performance.now() } as const
    this.#waiting.push(asked)
    const where = { host: '127.0.0.1', port: this.#flooded.httpPort, path: '/v1/health', agent: false }
    request(where, (response) => response.resume().on('end', () => this.#answered('call', asked)))
      .on('error', () => this.#answered('call', asked))
      .end()
  }
}

/** A process that floods as it is told to. */
export class Flooder {
  readonly #child: ChildProcess
  readonly #answers: ((port: number) => void)[] = []
  #floods = 0
  /** How often it was cut off since its last order. */
  cuts = 0

  constructor() {
    this.#child = spawn(process.execPath, [FLOODER], { stdio: ['pipe', 'pipe', 'inherit'] })
    const { stdout } = this.#child
    if (stdout)
      createInterface({ input: stdout }).on('line', (line) => {
        if (line === 'flooding') this.#floods += 1
        else if (line === 'cut') this.cuts += 1
        else this.#answers.shift()?.(Number(line))
      })
  }

  /** Answers with the port where it listens. */
  order(order: FloodOrder): Promise<number> {
    this.#floods = 0
    this.cuts = 0
    return new Promise((resolve) => {
      this.#answers.push(resolve)
      this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    })
  }

  /** Waits until it floods. */
  async begun(): Promise<void> {
    await until('a flood', () => this.#floods > 0)
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.stdin?.end()
    await ended
  }
}

/** A socket of the service. frames: a WebSocket. */
export interface FloodedSocket {
  readonly name: string
  readonly isWebSocket: boolean
  /**
   * The service opens it, to a flooder that is its peer or its robot, one whose pictures somebody wants, or one that is
   * looked at.
   */
  readonly comes?: keyof typeof COMINGS
  /** Those that are tried where time is short, since it is read as others are. */
  readonly floods?: readonly FloodName[]
  readonly order: (flood: FloodName, at: Flooded) => FloodOrder
}

const to =
  (port: keyof Flooded, path: string, more: Omit<FloodOrder, 'port' | 'path'> = {}): FloodedSocket['order'] =>
  (flood, at) => ({ flood, port: at[port], path, ...more })

/** Every kind of socket on which others may send. */
export const FLOODED_SOCKETS: readonly FloodedSocket[] = [
  { name: 'the events', isWebSocket: true, order: to('httpPort', '/v1/events') },
  { name: 'the events over TLS', isWebSocket: true, order: to('tlsPort', '/v1/events', { isTls: true }) },
  { name: 'the NT4 server', isWebSocket: true, order: to('nt4Port', '/nt/flood', { protocol: PROTOCOL_41 }) },
  { name: 'its clock', isWebSocket: true, order: to('nt4Port', '/nt/flood', { protocol: PROTOCOL_RTT }) },
  { name: 'the link to a peer', isWebSocket: true, comes: 'peer', order: (flood) => ({ flood }) },
  {
    name: 'the link to a robot',
    isWebSocket: true,
    comes: 'robot',
    order: (flood) => ({ flood, protocol: PROTOCOL_41 }),
  },
  {
    name: 'the events for other devices',
    isWebSocket: true,
    floods: ['empty messages'],
    order: to('httpPort', '/v1/interdevice/events'),
  },
  {
    name: 'the frames for other devices',
    isWebSocket: true,
    floods: ['empty fragments'],
    order: to('httpPort', '/v1/interdevice/streams/front/frames'),
  },
  {
    name: "the vendor's results, pushed",
    isWebSocket: true,
    floods: ['empty messages'],
    order: to('pushPort', '/'),
  },
  {
    name: "the vendor's results, asked for",
    isWebSocket: false,
    floods: ['requests'],
    order: to('resultsPort', '/results'),
  },
  {
    name: 'the frames of a peer',
    isWebSocket: true,
    comes: 'frames',
    floods: ['empty messages'],
    order: (flood) => ({ flood, path: `${PEERS_STREAM}/frames` }),
  },
  {
    name: 'the live pictures of a peer',
    isWebSocket: false,
    comes: 'pictures',
    floods: ['empty pictures'],
    order: (flood) => ({ flood, path: `${PEERS_STREAM}/preview` }),
  },
  {
    name: 'a look at an NT4 server',
    isWebSocket: true,
    comes: 'inspection',
    floods: ['empty messages', 'values'],
    order: (flood) => ({ flood, protocol: PROTOCOL_41 }),
  },
  {
    name: 'a look at a vision product',
    isWebSocket: true,
    comes: 'vision',
    floods: ['empty messages'],
    order: (flood) => ({ flood, path: '/websocket_data' }),
  },
  { name: 'the API', isWebSocket: false, order: to('httpPort', '/openapi.json') },
  { name: 'the API over TLS', isWebSocket: false, order: to('tlsPort', '/v1/health', { isTls: true }) },
  { name: "the NT4 server's page", isWebSocket: false, order: to('nt4Port', '/') },
]

const names = Object.keys(FLOODS) as readonly FloodName[]

/** The floods that make sense on a socket: requests where they are taken, pictures where they are asked for. */
export const floodsOn = ({ isWebSocket, comes }: FloodedSocket): readonly FloodName[] =>
  names.filter((name) =>
    comes === 'pictures' || name === PICTURES
      ? comes === 'pictures' && name === PICTURES
      : FLOODS[name]({ isClient: true, path: '/' }).isWebSocket === isWebSocket,
  )

const PICTURES: FloodName = 'empty pictures'

/** One flood of one socket. */
export interface FloodCell {
  readonly socket: FloodedSocket
  readonly flood: FloodName
  readonly at: Flooded
  /** To the service. */
  readonly send: Send
  /** To another one, whose robot the flooder may be. */
  readonly linked: Send
}

/** Sends a request; answers with the body. */
export type Send = (method: string, path: string, body?: object) => Promise<unknown>

/** Has the service come to a flooder; returns the way to have all as it was. */
type Coming = (cell: FloodCell, port: number) => Promise<() => Promise<unknown>>

const PEERS_STREAM = '/v1/interdevice/streams/front'
const AGAIN_MS = 20

/** Does something again and again until that is ended. */
const again = (work: () => Promise<unknown>): (() => Promise<unknown>) => {
  let isWanted = true
  const rounds = async () => {
    while (isWanted) {
      await work()
      await delay(AGAIN_MS)
    }
  }
  const done = rounds()
  return () => {
    isWanted = false
    return done
  }
}

const asPeer: (isWanted: (at: Flooded, peerId: string) => () => Promise<unknown>) => Coming =
  (beginWanting) =>
  async ({ at, send }, port) => {
    const body = { base_url: `http://127.0.0.1:${port}`, name: 'Flooder' }
    const { id } = (await send('POST', '/v1/peers', body)) as { id: string }
    const end = beginWanting(at, id)
    return async () => {
      await send('DELETE', `/v1/peers/${id}`)
      await end()
    }
  }

/** Wants what a peer shows until it is ended, again whenever there is none. */
const viewer = (
  open: (url: string) => { readonly closed: Promise<unknown>; readonly close: () => void },
  path: string,
) =>
  asPeer(({ httpPort }, id) => {
    let close = () => {}
    const end = again(() => {
      const opened = open(`127.0.0.1:${httpPort}/v1/peers/${id}/streams/front/${path}`)
      close = opened.close
      return opened.closed
    })
    return () => {
      const ended = end()
      close()
      return ended
    }
  })

const listener = (url: string) => {
  const socket = new WebSocket(`ws://${url}`)
  socket.on('error', () => {})
  return { closed: new Promise((resolve) => socket.once('close', resolve)), close: () => socket.terminate() }
}

const watcher = (url: string) => {
  const asked = request(`http://${url}`, { agent: false }, (response) => response.resume())
  const closed = new Promise((resolve) => asked.on('error', () => {}).once('close', resolve))
  asked.end()
  return { closed, close: () => asked.destroy() }
}

const look: (path: string, body: (port: number) => object) => Coming =
  (path, body) =>
  async ({ send }, port) =>
    again(() => send('POST', path, body(port)))

const COMINGS = {
  peer: asPeer(() => async () => {}),
  robot: async ({ linked }, port) => {
    await linked('POST', '/v1/device/nt4', { target: `127.0.0.1:${port}` })
    return async () => {}
  },
  frames: viewer(listener, 'frames'),
  pictures: viewer(watcher, 'preview'),
  inspection: look('/v1/nt4/topics', (port) => ({ host: '127.0.0.1', port })),
  vision: look('/v1/peers/integrations/extvision/streams', (port) => ({ base_url: `http://127.0.0.1:${port}` })),
} satisfies Record<string, Coming>

/** Has a socket flooded; returns the way to have all as it was. */
export const beginFlood = async (flooder: Flooder, cell: FloodCell): Promise<() => Promise<unknown>> => {
  const { socket, flood, at } = cell
  const port = await flooder.order(socket.order(flood, at))
  const undo = socket.comes ? await COMINGS[socket.comes](cell, port) : async () => {}
  await flooder.begun()
  return async () => {
    await flooder.order({})
    await undo()
  }
}

/**
 * How much longer somebody waited than without a flood, in milliseconds: the robot for a heartbeat or an answer about
 * its clock, or a caller.
 */
export const waitedMs = (felt: Felt, quiet: Felt): number =>
  Math.max(felt.heartbeat - quiet.heartbeat, felt.clock - quiet.clock, felt.call - quiet.call)
