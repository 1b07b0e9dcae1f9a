// One look at an NT4 server: a connection that asks, listens for a moment and ends, whatever the other side makes of
// it.
import type { LookupAddress } from 'node:dns'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { addressText } from '../../../machines/nt4/target.ts'
import { PONGS } from '../../../machines/websocket/pongs.ts'
import { monotonicUs } from '../../clock/system.ts'
import { findAllowedAddresses, lookupOf } from '../../names/allowed-addresses.ts'
import type { Lookup } from '../../names/lookup.ts'
import { readFramesInTurns, readInTurns } from '../../sockets/reading.ts'
import { type Nt4Message, TIME_SYNC_ID, WIRE } from '../codec.ts'
import { element, readServerText, type ServerMessage, textFrame } from '../control.ts'
import { MessageEncoder } from '../encoder.ts'
import { takeFrame } from '../frame-parts.ts'
import { sound } from '../isolate.ts'
import type { Nt4Look, Nt4LookLimit } from '../port.ts'
import { PROTOCOL_40, PROTOCOL_41 } from '../protocol.ts'
import { faultOfEnd } from '../session/end.ts'

// of the 2 s that it may take; the rest is for saying goodbye and answering on a busy device
const LOOK_LIMIT_MS = 1_800
const GOODBYE_LIMIT_MS = 100
const QUIET_MS = 300 // servers send each 10 to 100 ms what there is to say
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
const MAX_BYTES = MAX_MESSAGE_BYTES - 64 * 1024 // what is read at once may go beyond it by so much

/**
 * What a look does with what it hears. arrived: without it values are not even read. What either throws counts as a
 * message that cannot be read.
 */
export interface Listening {
  readonly heard: (message: ServerMessage) => void
  readonly arrived?: (message: Nt4Message) => void
}

/** A connection that is open, on which one asks. */
export interface Asking {
  readonly protocol: '4.1' | '4.0'
  readonly subscribe: (topics: readonly string[], options: Readonly<Record<string, unknown>>) => void
  /** What comes now is news: a server that has some is not done yet. */
  readonly goOn: () => void
  /** All that was asked for has come. */
  readonly finish: () => void
}

/** How a look ended that saw a server. */
export interface Looked {
  readonly protocol: '4.1' | '4.0'
  readonly limit: Nt4LookLimit
}

/**
 * Looks. lookup: says where names are, maybe after the look has ended. begin: called once the connection is open; asks
 * what it wants to know. The look ends when the server has been quiet for a moment.
 */
export const look = async (
  at: Nt4Look,
  lookup: Lookup,
  begin: (asking: Asking) => Listening,
): Promise<Looked | Fault> => {
  const deadline = new Deadline(LOOK_LIMIT_MS)
  const where = addressText(at)
  const nameless: Fault = { code: 'nt4.unreachable', detail: `nobody says in time where ${at.host} is` }
  const addresses = await Promise.race([addressesOf(at, lookup), deadline.after(() => nameless)])
  if (isFault(addresses)) {
    deadline.stop()
    return addresses
  }
  return new Promise((resolve) => {
    new Looking({ at, where, addresses, deadline, begin, resolve })
  })
}

/** Where the host is, as far as it may be looked at there. */
const addressesOf = async (
  { host, port, refusal }: Nt4Look,
  lookup: Lookup,
): Promise<readonly LookupAddress[] | Fault> => {
  const { addresses, refused } = await findAllowedAddresses(host, lookup, refusal)
  if (addresses.length > 0) return addresses
  const unknown = `nobody knows where ${host} is; is the name right?`
  return refused ?? { code: 'nt4.unreachable', detail: `nothing answers at ${addressText({ host, port })}: ${unknown}` }
}

/** The time that a look may take, counted from its beginning. */
class Deadline {
  readonly #endsMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#endsMs = performance.now() + ms
  }

  after<Value>(value: () => Value): Promise<Value> {
    return new Promise((resolve) => this.call(() => resolve(value())))
  }

  /** Calls back at the end, instead of the previous callback. */
  call(callback: () => void): void {
    this.stop()
    this.#timer = setTimeout(callback, Math.max(0, this.#endsMs - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

interface LookingParts {
  readonly at: Nt4Look
  readonly where: string
  readonly addresses: readonly LookupAddress[]
  readonly deadline: Deadline
  readonly begin: (asking: Asking) => Listening
  readonly resolve: (looked: Looked | Fault) => void
}

class Looking {
  readonly #parts: LookingParts
  readonly #socket: WebSocket
  #stream: Socket | undefined
  #error: NodeJS.ErrnoException | undefined
  #listening: Listening | undefined
  #isAnswered = false
  #hasTime = false
  #news = 0
  #quiet: NodeJS.Timeout | undefined
  #goodbye: NodeJS.Timeout | undefined
  /** What it comes to, once that is known; else the way in which the connection ends says. */
  #outcome: Looked | Fault | undefined

  constructor(parts: LookingParts) {
    this.#parts = parts
    const { at, where, deadline } = parts
    this.#socket = new WebSocket(`ws://${where}/nt/${encodeURIComponent(at.name)}`, [PROTOCOL_41, PROTOCOL_40], {
      ...PONGS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      createConnection: () => this.#connect(),
    })
    this.#socket.on('open', () => this.#opened())
    this.#socket.on('message', (data, isBinary) => sound(() => this.#received(data as Buffer, isBinary)))
    this.#socket.on('error', (error) => {
      this.#error = error
      this.#socket.terminate() // the library would read on and wait for a goodbye
    })
    this.#socket.on('close', (code, reason) => this.#closed(code, reason.toString()))
    deadline.call(() => this.#cut('time'))
  }

  /** To the addresses that were judged, and to no others. */
  #connect(): Socket {
    const { at, addresses } = this.#parts
    const where = { host: at.host, port: at.port, lookup: lookupOf(addresses), autoSelectFamily: true }
    this.#stream = readInTurns(connect(where)).once('connect', () => {
      this.#isAnswered = true
    })
    return this.#stream
  }

  #opened(): void {
    if (this.#stream) readFramesInTurns(this.#stream, () => this.#cut('bytes'))
    // From the first byte on: what comes in frames that are no messages counts as well.
    this.#stream?.on('data', () => {
      if ((this.#stream?.bytesRead ?? 0) > MAX_BYTES) this.#cut('bytes')
    })
    const frame = new MessageEncoder()
    frame.begin(true)
    frame.put(TIME_SYNC_ID, 0, WIRE.int, monotonicUs())
    this.#socket.send(frame.take())
    let subuid = 0
    this.#listening = this.#parts.begin({
      protocol: this.#protocol,
      subscribe: (topics, options) => {
        subuid += 1
        this.#socket.send(textFrame([element('subscribe', { topics, subuid, options })]))
      },
      goOn: () => this.#waitForQuiet(),
      finish: () => this.#finish(),
    })
  }

  get #protocol(): '4.1' | '4.0' {
    return this.#socket.protocol === PROTOCOL_41 ? '4.1' : '4.0'
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (this.#outcome || !this.#listening) return
    if (!isBinary) {
      for (const message of readServerText(data.toString()).messages) sound(() => this.#listening?.heard(message))
      return
    }
    const { arrived } = this.#listening
    if ((this.#hasTime && !arrived) || !this.#stream) return
    takeFrame(this.#stream, data, ({ messages }) => {
      for (const message of messages) {
        if (message.id !== TIME_SYNC_ID) sound(() => arrived?.(message))
        else if (!this.#hasTime) {
          this.#hasTime = true
          this.#waitForQuiet()
        }
      }
    })
  }

  /** Only a server that tells the time can be missed: the silence of others says nothing. */
  #waitForQuiet(): void {
    if (!this.#hasTime || this.#outcome) return
    clearTimeout(this.#quiet)
    this.#news += 1
    const news = this.#news
    // What came while this process was held up is read before an immediate is called.
    this.#quiet = setTimeout(() => setImmediate(() => news === this.#news && this.#finish()), QUIET_MS)
  }

  #finish(): void {
    if (this.#outcome) return
    this.#outcome = { protocol: this.#protocol, limit: null }
    this.#socket.close(1000)
    this.#goodbye = setTimeout(() => this.#socket.terminate(), GOODBYE_LIMIT_MS)
  }

  /** A limit is met: what was seen until now counts, if anything can. */
  #cut(limit: 'time' | 'bytes'): void {
    this.#outcome ??= this.#hasTime ? { protocol: this.#protocol, limit } : this.#failure(limit)
    this.#socket.terminate()
  }

  #failure(limit: 'time' | 'bytes'): Fault {
    const { where } = this.#parts
    const named = (code: FaultCode, detail: string): Fault => ({ code, detail })
    if (!this.#isAnswered)
      return named('nt4.unreachable', `nothing answers at ${where} in time; is it on and the address right?`)
    if (!this.#listening)
      return named('nt4.refused', `${where} answers, but not as an NT4 server (no handshake in time)`)
    const what = limit === 'time' ? 'then told no time' : 'then sent too much before it told its time'
    return named('nt4.no_clock', `${where} accepted the connection and ${what}`)
  }

  #closed(code: number, reason: string): void {
    for (const timer of [this.#quiet, this.#goodbye]) clearTimeout(timer)
    const { where, deadline, resolve } = this.#parts
    deadline.stop()
    const end = { at: where, wasReady: this.#hasTime, error: this.#error, code, reason }
    resolve(this.#outcome ?? faultOfEnd(end))
  }
}
