// One viewer of live video, from its request until it leaves. What it does not take in time it loses, up to the next
// picture with which a decoder can begin.
import type { Socket } from 'node:net'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { VideoPacket, VideoWant } from '../../../machines/stream/video.ts'
import type { Clock } from '../../../native/clock/port.ts'
import type { Placeholder } from './placeholder.ts'
import { STALL_LIMIT_MS } from './play.ts'
import { placeholderPacket, videoPacket } from './video-packet.ts'

/** Half a second of moving pictures; who is further behind would see the past. */
const MAX_BEHIND_BYTES = 128 * 1024

/**
 * What a viewer sees, and of which stream. isMetered: over the network, within the bandwidth budget. hasCaptured:
 * packets say which frames they are.
 */
export interface VideoView {
  readonly clock: Clock
  readonly stream: StreamRuntime
  readonly want: Pick<VideoWant, 'library'>
  readonly isMetered: boolean
  readonly placeholder: Placeholder
  readonly hasCaptured?: boolean
}

/** A viewer whose answer has its head. Everything of it goes with its socket. */
export class VideoViewer {
  readonly #socket: Socket
  readonly #clock: Clock
  #epochUs: number
  readonly #hasCaptured: boolean
  #waitsForKey = true
  #behindSinceUs: number | undefined // while the socket holds more than it may

  constructor(socket: Socket, { stream, want, isMetered, clock, placeholder, hasCaptured = false }: VideoView) {
    this.#socket = socket
    this.#clock = clock
    this.#hasCaptured = hasCaptured
    this.#epochUs = epochOf(clock)
    const end = () => this.end()
    const stops = [
      clock.onSet(() => {
        this.#epochUs = epochOf(clock)
      }),
      stream.onDeleted(end),
      placeholder.subscribe((jpeg) => this.#showInstead(jpeg)),
      stream.viewers.video.watch(want, { take: (packet) => this.#take(packet), ended: end, isMetered }),
    ]
    socket.once('close', () => {
      for (const stop of stops) stop()
    })
  }

  /** Ends the connection; what was begun may still arrive. */
  end(): void {
    this.#socket.destroySoon()
  }

  #take(packet: VideoPacket): number {
    if (!this.#hasRoom() || (this.#waitsForKey && !packet.is_key)) {
      this.#waitsForKey = true
      return 0
    }
    this.#waitsForKey = false
    const sent = videoPacket(packet, this.#epochUs, this.#hasCaptured)
    this.#socket.write(sent)
    return sent.length
  }

  #showInstead(jpeg: Uint8Array): void {
    if (this.#hasRoom()) this.#socket.write(placeholderPacket(jpeg, this.#epochUs + this.#clock.monotonicUs()))
  }

  /** A viewer that takes nothing for too long is gone or asleep; when it wakes up it asks again. */
  #hasRoom(): boolean {
    if (this.#socket.writableLength <= MAX_BEHIND_BYTES) {
      this.#behindSinceUs = undefined
      return this.#socket.writable
    }
    const nowUs = this.#clock.monotonicUs()
    this.#behindSinceUs ??= nowUs
    if (nowUs - this.#behindSinceUs > STALL_LIMIT_MS * 1000) this.#socket.destroy()
    return false
  }
}

/** Unix time of 0 of CLOCK_MONOTONIC. */
const epochOf = ({ nowMs, monotonicUs }: Clock): number => nowMs() * 1000 - monotonicUs()
