// One viewer of live pictures on a WebSocket: each message is one picture. A slow one misses pictures, and what waits
// for it is the newest.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Picture } from '../../../machines/stream/picture.ts'
import { sayGoodbye } from '../../connections/goodbye.ts'
import { limiter, STALL_LIMIT_MS } from './play.ts'
import { picturePacket, placeholderPacket, type ResultChoice } from './video-packet.ts'
import type { View } from './viewer.ts'

/** A WebSocket, and what it writes to. */
export interface MessageEnds {
  readonly socket: WebSocket
  readonly connection: Socket
}

/** What it sees, and of which stream. */
export interface MessageView extends View {
  /** What of that goes with each picture which was found in its frame; null: nothing. */
  readonly results: ResultChoice | null
}

/** Everything of it goes with its socket. */
export class MessageViewer {
  readonly #socket: WebSocket
  readonly #view: MessageView
  readonly #isDue: (picture: Picture) => boolean
  #waiting: Picture | undefined // the newest, while one before it is on its way
  #sendingSinceUs: number | undefined
  #sentBytes = 0
  #pictureBytes: number | null = null

  constructor({ socket, connection }: MessageEnds, view: MessageView) {
    this.#socket = socket
    this.#view = view
    this.#isDue = limiter(view.fps)
    const { stream, watch, placeholder } = view
    watch.measure(() => ({ bytes: this.#sentBytes, picture_bytes: this.#pictureBytes }))
    const newest = watch.pictures.value
    if (newest && !placeholder.jpeg) this.#offer(newest)
    const stops = [
      stream.onDeleted(() => this.end()),
      watch.pictures.subscribe((picture) => this.#offer(picture)),
      placeholder.subscribe((jpeg) => this.#showInstead(jpeg)),
      () => watch.release(),
    ]
    connection.once('close', () => {
      for (const stop of stops) stop()
    })
  }

  /** Says goodbye; who does not answer is cut off. */
  end(): void {
    this.#waiting = undefined
    sayGoodbye(this.#socket, 'there are no more pictures')
  }

  #offer(picture: Picture): void {
    // one that was on its way already when this viewer came
    if (this.#view.results && picture.result === undefined) return
    if (!this.#isDue(picture)) return
    if (this.#isFree()) this.#show(picture)
    else this.#waiting = picture
  }

  #show(picture: Picture): void {
    const packet = picturePacket(picture, this.#view.clock, this.#view.results)
    this.#pictureBytes = packet.length
    this.#send(packet)
  }

  #showInstead(jpeg: Uint8Array): void {
    const { clock, results } = this.#view
    if (this.#isFree()) this.#send(placeholderPacket(jpeg, clock.nowMs() * 1000, results !== null))
  }

  /** Called back when the kernel has it all. */
  #send(packet: Buffer): void {
    this.#sendingSinceUs = this.#view.clock.monotonicUs()
    this.#sentBytes += packet.length
    this.#socket.send(packet, { binary: true }, () => {
      this.#sendingSinceUs = undefined
      const picture = this.#waiting
      this.#waiting = undefined
      if (picture && this.#socket.readyState === this.#socket.OPEN) this.#show(picture)
    })
  }

  /** A viewer that takes nothing for too long is gone or asleep; when it wakes up it asks again. */
  #isFree(): boolean {
    if (this.#sendingSinceUs === undefined) return this.#socket.readyState === this.#socket.OPEN
    if (this.#view.clock.monotonicUs() - this.#sendingSinceUs > STALL_LIMIT_MS * 1000) this.#socket.terminate()
    return false
  }
}
