// The socket of a session: opened, its clock compared, probed for life, ended. What travels on it is the session's
// business.
import { connect, type LookupFunction, type OnReadOpts, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { ClockSync } from '../../../machines/clock/clock-sync.ts'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { addressText } from '../../../machines/nt4/target.ts'
import { PONGS } from '../../../machines/websocket/pongs.ts'
import { monotonicUs } from '../../clock/system.ts'
import { systemLookup } from '../../names/lookup.ts'
import { readFramesInTurns, readInTurns, type Step, workInTurns } from '../../sockets/reading.ts'
import { type Nt4Frame, type Nt4Message, TIME_SYNC_ID, WIRE } from '../codec.ts'
import { MessageEncoder } from '../encoder.ts'
import { takeFrame } from '../frame-parts.ts'
import { sound } from '../isolate.ts'
import { afterTicks, Liveness } from '../liveness.ts'
import type { Nt4Dial } from '../port.ts'
import { PROTOCOL_40, PROTOCOL_41 } from '../protocol.ts'
import { faultOfEnd } from './end.ts'
import { HEAD_BYTES, withHead } from './frame-head.ts'
import { LonePings } from './lone-pings.ts'

const HANDSHAKE_PAUSE_MS = 2_000 // without a byte
const HANDSHAKE_LIMIT = { everyMs: 1_000, ticks: 3 } // once the host has answered, however many bytes come
const CLOCK_LIMIT = { everyMs: 500, ticks: 3 }
const FIRST_SAMPLES = 6
const LATER_SAMPLES = 3
const LATER_EVERY_MS = 1_000 // a server's clock may be set: its stamps are to follow within two seconds
const READINGS_PER_BURST = 10
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
const SEND_LIMIT_BYTES = 256 * 1024 // half a second of frames; older ones are worth nothing to a robot
const MAX_COLLECTED_BYTES = 32 * 1024 // the tables of a dozen cameras; further ones follow in a frame of their own
const LIVENESS = {
  // A real server pings each 200 ms: a server that is heard need not be asked. To ask and to be answered is half of
  // what an idle service does, and each tick wakes it.
  '4.1': { everyMs: 500, probeFromTick: 2, limitTicks: 3 },
  // old servers break on pings: clock readings are the probe
  '4.0': { everyMs: 1_000, probeFromTick: 1, limitTicks: 3 },
} as const

// One for all connections, as each chunk is used up or copied before the next is read.
const incoming = Buffer.allocUnsafeSlow(64 * 1024)

/** What a connection tells its session. Only `text` and `message` may throw; that counts as a bad message. */
export interface ConnectionEvents {
  /** The host has taken the connection; what follows is the handshake. Called once at most. */
  readonly answered: () => void
  /** Open, and the server's clock is known. Called once. */
  readonly ready: () => void
  /** The server's clock was set: what the clock says from now on may lie before what it said. */
  readonly clockJumped: () => void
  /** Answers with the way to obey it, a message at a time. */
  readonly text: (text: string) => Step
  /** False: the message made no sense. */
  readonly message: (message: Nt4Message) => boolean
  /** So many messages could not be read or handled. */
  readonly bad: (count: number) => void
  /** The end, whatever came before. Called once. */
  readonly closed: (fault: Fault) => void
}

/** A connection that starts to open when it is made. */
export class Connection {
  readonly clock = new ClockSync()
  readonly #to: Nt4Dial
  readonly #events: ConnectionEvents
  readonly #socket: WebSocket
  readonly #encoder = new MessageEncoder(HEAD_BYTES)
  readonly #pings = new LonePings()
  #stream: Socket | undefined
  #isCollecting = false
  #samplesWanted = FIRST_SAMPLES
  #readings = 0
  #unanswered = 0
  #isReady = false
  #liveness: Liveness | undefined
  /** Of the handshake, then of the first readings of the clock, then of the later ones. */
  #timer: NodeJS.Timeout | undefined
  /** Why it will close, when we know better than the socket. */
  #fault: Fault | undefined
  #error: NodeJS.ErrnoException | undefined

  constructor(to: Nt4Dial, events: ConnectionEvents) {
    this.#to = to
    this.#events = events
    this.#socket = new WebSocket(urlOf(to), [PROTOCOL_41, PROTOCOL_40], {
      ...PONGS,
      handshakeTimeout: HANDSHAKE_PAUSE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      createConnection: () => {
        const where = { host: to.host, port: to.port, lookup: systemLookup as LookupFunction }
        this.#stream = readInTurns(connect({ ...where, onread: this.#onread() })).once('connect', () =>
          this.#answered(),
        )
        return this.#stream
      },
    })
    this.#socket.on('open', () => this.#opened())
    this.#socket.on('message', (data, isBinary) => this.#received(data as Buffer, isBinary))
    this.#socket.on('ping', () => this.#liveness?.heard())
    this.#socket.on('pong', () => this.#liveness?.heard())
    this.#socket.on('error', (error) => {
      this.#error = error
      this.#socket.terminate() // the library would read on and wait for a goodbye
    })
    this.#socket.on('close', (code, reason) => this.#closed(code, reason.toString()))
  }

  get protocol(): '4.1' | '4.0' {
    return this.#socket.protocol === PROTOCOL_41 ? '4.1' : '4.0'
  }

  /** On this device; undefined: it is not open. */
  get localPort(): number | undefined {
    return this.#stream?.localPort
  }

  /** After all that was put into a frame before. */
  sendText(text: string): void {
    this.#sendMessages()
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  /**
   * The frame of this turn, which leaves at its end with all that was put into it by then: the tables of several
   * streams cost one write.
   *
   * undefined: that would be in vain: not open, or the server has not read what it was sent before.
   */
  messages(): MessageEncoder | undefined {
    if (this.#socket.readyState !== WebSocket.OPEN) return undefined
    if (this.#encoder.length > MAX_COLLECTED_BYTES) this.#sendMessages() // also to learn whether the server reads
    if (this.#isCollecting) return this.#encoder
    const buffered = this.#stream?.writableLength ?? 0
    if (buffered > SEND_LIMIT_BYTES) return undefined
    // Nothing buffered means that the system has taken all bytes of earlier frames, and no one reads our buffer any
    // more.
    this.#encoder.begin(buffered === 0)
    this.#isCollecting = true
    queueMicrotask(this.#sendMessages)
    return this.#encoder
  }

  /**
   * Sends what was put into the frame of this turn.
   *
   * Past the library, which would write head and payload as two: without compression it leaves each frame of its own
   * whole in the stream when it returns.
   */
  readonly #sendMessages = (): void => {
    if (!this.#isCollecting) return
    this.#isCollecting = false
    const frame = this.#encoder.takeWithHead()
    if (frame.length > HEAD_BYTES) this.#stream?.write(withHead(frame))
  }

  /** Closes politely; a caller that cannot wait calls `terminate` later. */
  close(): void {
    this.#sendMessages()
    this.#fault ??= { code: 'nt4.closed', detail: `the connection to ${addressText(this.#to)} was given up here` }
    if (!this.#isReady)
      this.#socket.terminate() // nothing was said yet that would have to be said to the end
    else this.#socket.close(1000)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /**
   * Bytes that come past the stream's own way of reading, which takes 64 KiB of memory for each chunk. It has no
   * listeners for them but those that are told here: the library's, of which the one of the handshake makes way for the
   * one of the frames.
   */
  #onread(): OnReadOpts {
    return {
      buffer: incoming,
      callback: (length) => {
        if (!this.#answersPing(length)) this.#stream?.emit('data', Buffer.from(incoming.subarray(0, length)))
        return true
      },
    }
  }

  /**
   * Whether so many bytes are a ping that is answered now. Not while earlier bytes wait to leave: the library ends a
   * connection that pings and does not read, and the pong before this one may be among them.
   */
  #answersPing(length: number): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN || this.#stream?.writableLength !== 0) return false
    const pong = this.#pings.pongTo(incoming, length)
    if (!pong) return false
    this.#stream.write(pong)
    this.#liveness?.heard()
    return true
  }

  #answered(): void {
    this.#timer = afterTicks(HANDSHAKE_LIMIT, () => {
      const seconds = (HANDSHAKE_LIMIT.everyMs * HANDSHAKE_LIMIT.ticks) / 1000
      this.#fail(
        'nt4.refused',
        `${addressText(this.#to)} answers, but not as an NT4 server (no handshake within ${seconds} s)`,
      )
    })
    this.#events.answered()
  }

  #opened(): void {
    clearInterval(this.#timer)
    // From here on what is passed on are frames, also those that came in one piece with the end of the handshake.
    this.#stream?.prependListener('data', (chunk: Buffer) => this.#pings.passed(chunk))
    if (this.#stream)
      readFramesInTurns(this.#stream, (what) =>
        this.#fail('nt4.floods', `${addressText(this.#to)} has sent ${what}, and the connection was ended here`),
      )
    this.clock.startBurst()
    this.#sample()
    this.#timer = afterTicks(CLOCK_LIMIT, () => {
      if (this.clock.estimate) this.#becomeReady()
      else this.#fail('nt4.no_clock', `${addressText(this.#to)} accepted the connection and then told no time`)
    })
  }

  #becomeReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    clearInterval(this.#timer)
    this.#timer = setInterval(() => this.#resync(), LATER_EVERY_MS)
    this.#timer.unref()
    const silent = () =>
      this.#fail('nt4.silent', `${addressText(this.#to)} has gone silent; it may have lost its power or network`)
    const probe = () => (this.protocol === '4.1' ? this.#socket.ping() : this.#sample())
    this.#liveness = new Liveness(LIVENESS[this.protocol], probe, silent)
    this.#events.ready()
  }

  /** One reading shows whether the server's clock was set; the drift is followed by the best of several. */
  #resync(): void {
    this.#readings = (this.#readings + 1) % READINGS_PER_BURST
    if (this.#readings === 0) this.clock.startBurst()
    this.#samplesWanted = this.#readings === 0 ? LATER_SAMPLES : 1
    this.#sample()
  }

  #sample(): void {
    const frame = this.messages()
    if (!frame) return
    this.#unanswered += 1
    frame.put(TIME_SYNC_ID, 0, WIRE.int, monotonicUs())
    this.#sendMessages()
  }

  #sampled({ value, timestampUs }: Nt4Message): void {
    if (this.#unanswered === 0 || typeof value !== 'number') return
    this.#unanswered -= 1
    if (this.clock.answered(value, timestampUs, monotonicUs())) {
      this.#samplesWanted = Math.max(this.#samplesWanted, 1 + LATER_SAMPLES) // one that came late says little
      this.#events.clockJumped()
    }
    if (this.#samplesWanted === 0) return
    this.#samplesWanted -= 1
    if (this.#samplesWanted > 0) this.#sample()
    else if (!this.#isReady) this.#becomeReady()
  }

  #received(data: Buffer, isBinary: boolean): void {
    this.#liveness?.heard()
    if (isBinary) this.#receivedMessages(data)
    else if (this.#stream) this.#obey(this.#stream, this.#events.text(data.toString()))
  }

  /** What takes its time here is no silence there. */
  #obey(stream: Socket, step: Step): void {
    workInTurns(stream, () => {
      this.#liveness?.heard()
      return step()
    })
  }

  #receivedMessages(data: Buffer): void {
    if (this.#stream) takeFrame(this.#stream, data, (part) => this.#arrived(part))
  }

  #arrived({ messages, bad }: Nt4Frame): void {
    this.#liveness?.heard()
    if (bad > 0) this.#events.bad(bad)
    for (const message of messages) {
      if (message.id === TIME_SYNC_ID) this.#sampled(message)
      else if (!sound(() => this.#events.message(message))) this.#events.bad(1)
    }
  }

  #fail(code: FaultCode, detail: string): void {
    this.#fault ??= { code, detail } // what was given up here already closes for that reason
    this.#socket.terminate()
  }

  #closed(code: number, reason: string): void {
    clearInterval(this.#timer)
    this.#liveness?.stop()
    const end = { at: addressText(this.#to), wasReady: this.#isReady, error: this.#error, code, reason }
    this.#events.closed(this.#fault ?? faultOfEnd(end))
  }
}

const urlOf = (to: Nt4Dial): string => `ws://${addressText(to)}/nt/${encodeURIComponent(to.name)}`
