// Bytes that arrive from a client that may be slow, send too much, or leave.
import type { Readable } from 'node:stream'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Arriving } from './port.ts'
import type { Patience } from './store-internals.ts'

/** A match of three hours in pictures of a camera; and who sends 64 KiB in 20 s would take a day for it. */
export const defaultPatience: Patience = {
  windowMs: 20_000,
  minBytes: 64 * 1024,
  totalMs: 3_600_000,
  maxBytes: 4 * 1024 ** 3,
}

/** One body as it arrives, piece by piece. Close it, whatever came of it: what still comes is then thrown away. */
export class Arrival {
  readonly #body: Readable
  #patience: Patience
  readonly #pieces: Buffer[] = []
  readonly #timers: NodeJS.Timeout[]
  #received = 0
  #receivedBefore = 0
  #hasEnded = false
  #fault: Fault | undefined
  #wake: () => void = () => {}

  constructor({ body, length }: Arriving, patience: Patience) {
    this.#body = body
    this.#patience = patience
    if (length !== undefined && length > patience.maxBytes) this.#fault = tooLarge(patience)
    this.#timers = [
      setInterval(() => this.#look(), patience.windowMs),
      setTimeout(
        () => this.#end(tooSlow(`after ${patience.totalMs / 1000} s it was not here whole`)),
        patience.totalMs,
      ),
    ]
    body.on('data', this.#take).on('end', this.#finish).on('close', this.#cut).on('error', this.#cut)
    if (body.destroyed) this.#cut() // it has said so, and will not say so again
  }

  /** The next piece; undefined after the last. */
  async next(): Promise<Buffer | undefined | Fault> {
    while (this.#pieces.length === 0 && !this.#fault && !this.#hasEnded) {
      this.#body.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#fault ?? this.#pieces.shift()
  }

  /** The first bytes: so many, or all there are. They come again as the first piece. */
  async beginning(bytes: number): Promise<Buffer | Fault> {
    const pieces: Buffer[] = []
    for (let length = 0; length < bytes; ) {
      const piece = await this.next()
      if (piece && !Buffer.isBuffer(piece)) return piece
      if (!piece) break
      pieces.push(piece)
      length += piece.length
    }
    const head = Buffer.concat(pieces) // once: they may be of one byte each
    if (head.length > 0) this.#pieces.unshift(head)
    return head
  }

  /** What it turned out to be may have no more bytes than this. length: how many there will be, where that is known. */
  holdTo(maxBytes: number, length = 0): void {
    this.#patience = { ...this.#patience, maxBytes: Math.min(maxBytes, this.#patience.maxBytes) }
    if (Math.max(length, this.#received) > this.#patience.maxBytes) this.#end(tooLarge(this.#patience))
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#body.off('data', this.#take).off('end', this.#finish).off('close', this.#cut).resume()
  }

  readonly #take = (piece: Buffer): void => {
    this.#received += piece.length
    this.#pieces.push(piece)
    this.#body.pause()
    if (this.#received > this.#patience.maxBytes) this.#end(tooLarge(this.#patience))
    else this.#wake()
  }

  readonly #finish = (): void => {
    this.#hasEnded = true
    this.#wake()
  }

  readonly #cut = (): void => {
    if (!this.#hasEnded)
      this.#end({ code: 'request.malformed', detail: 'the connection ended before the content was here whole' })
  }

  /** Called once for each window. What waits to be written is no fault of the sender. */
  #look(): void {
    const came = this.#received - this.#receivedBefore
    this.#receivedBefore = this.#received
    if (came >= this.#patience.minBytes || this.#pieces.length > 0 || this.#hasEnded) return
    this.#end(tooSlow(`${came} bytes came within ${this.#patience.windowMs / 1000} s`))
  }

  #end(fault: Fault): void {
    this.#fault ??= fault
    this.#wake()
  }
}

const tooSlow = (how: string): Fault => ({
  code: 'request.timeout',
  detail: `the content did not arrive in time: ${how}; send it again over a better link`,
})

const tooLarge = ({ maxBytes }: Patience): Fault => ({
  code: 'body.too_large',
  detail: `the content may have ${maxBytes} bytes at most`,
})
