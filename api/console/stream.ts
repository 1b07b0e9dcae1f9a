// One client on the stream of a console session. What the terminal shows goes out no faster than the client takes it,
// so that little waits here, whatever the program writes.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ConsoleSeat, ConsoleViewer } from '../../actors/console/tokens.ts'
import { type ConsoleWord, readOrder } from '../../machines/console/messages.ts'
import { sayGoodbye } from '../connections/goodbye.ts'

/** A WebSocket, and what it writes to. */
export interface StreamEnds {
  readonly socket: WebSocket
  readonly connection: Socket
}

const MAX_BEHIND_BYTES = 512 * 1024 // that the client has not taken: then the program waits
const ENOUGH_TAKEN_BYTES = 128 * 1024 // is left of that: then it goes on
const STALL_LIMIT_MS = 30_000 // as viewers
const NORMAL_CLOSE = 1000

/** Everything of it goes with its connection. */
export class ConsoleStream implements ConsoleViewer {
  readonly address: string
  readonly #socket: WebSocket
  readonly #connection: Socket
  #seat: ConsoleSeat | undefined
  readonly #windowBytes: number
  #undrawnBytes = 0
  #isBehind = false
  #stall: NodeJS.Timeout | undefined

  /** windowBytes: that may be shown and not drawn yet. */
  constructor({ socket, connection }: StreamEnds, address: string, windowBytes = Number.POSITIVE_INFINITY) {
    this.#windowBytes = windowBytes
    this.address = address
    this.#socket = socket
    this.#connection = connection
    connection.setNoDelay(true)
  }

  /** It is attached from now on. */
  sit(seat: ConsoleSeat): void {
    this.#seat = seat
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#type(seat, data)
      else this.#order(seat, data.toString())
    })
    this.#connection.once('close', () => {
      clearTimeout(this.#stall)
      seat.leave()
    })
    if (this.#connection.closed) seat.leave()
  }

  readonly show = (bytes: Uint8Array): boolean => {
    if (!this.#isOpen) return true
    this.#undrawnBytes += bytes.length
    this.#socket.send(bytes, { binary: true }, () => this.#taken())
    if (this.#socket.bufferedAmount <= MAX_BEHIND_BYTES && this.#undrawnBytes <= this.#windowBytes) return true
    this.#isBehind = true
    this.#watchStall()
    return false
  }

  readonly tell = (word: ConsoleWord): void => {
    if (this.#isOpen) this.#socket.send(JSON.stringify(word))
  }

  readonly drained = (): void => this.#socket.resume()

  readonly end = (): void => {
    this.#socket.resume() // or its farewell is not read
    this.#socket.close(NORMAL_CLOSE)
    this.#watchStall()
  }

  /** The service stops. */
  goAway(): void {
    sayGoodbye(this.#socket, 'the service stops')
  }

  /** Calls back when it is gone. */
  onceGone(gone: () => void): void {
    this.#connection.once('close', gone)
  }

  #type(seat: ConsoleSeat, bytes: Buffer): void {
    if (!seat.type(bytes)) this.#socket.pause()
  }

  #order(seat: ConsoleSeat, text: string): void {
    const order = readOrder(text)
    if (typeof order === 'string') this.tell({ kind: 'refused', detail: order })
    else if (order.kind === 'drawn') {
      this.#undrawnBytes = Math.max(0, this.#undrawnBytes - order.bytes)
      this.#taken()
    } else seat.order(order)
  }

  #taken(): void {
    if (!this.#isBehind) return
    if (this.#socket.bufferedAmount <= ENOUGH_TAKEN_BYTES && this.#undrawnBytes <= this.#windowBytes / 2) {
      this.#isBehind = false
      clearTimeout(this.#stall)
      this.#seat?.ready()
    } else this.#watchStall()
  }

  /** One that takes nothing for too long is gone or asleep; when it wakes up it attaches again. */
  #watchStall(): void {
    clearTimeout(this.#stall)
    this.#stall = setTimeout(() => this.#socket.terminate(), STALL_LIMIT_MS).unref()
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }
}

/** All that are open at one server. */
export class ConsoleStreams {
  readonly #open = new Set<ConsoleStream>()

  add(stream: ConsoleStream): void {
    this.#open.add(stream)
    stream.onceGone(() => this.#open.delete(stream))
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    for (const stream of this.#open) stream.goAway()
  }
}
