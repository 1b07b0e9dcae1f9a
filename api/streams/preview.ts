// Live previews: MJPEG straight to the sockets of their viewers. A viewer lives from its request until it leaves, falls silent, or its stream is deleted.
import type { FastifyReply } from 'fastify'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { hijack } from '../connections/connections.ts'
import { PREVIEW_MEDIA_TYPE } from './picture-part.ts'
import { Placeholder } from './placeholder.ts'
import { type View, Viewer } from './viewer.ts'

/** Each costs a core about 1 % at 30 fps. */
export const MAX_VIEWERS = 64

const KEEP_ALIVE_MS = 10_000 // notices a peer that vanished while its stream stood still

/** All viewers of a server. */
export class Previews {
  readonly #viewers = new Set<Viewer>()
  readonly #placeholders = new Map<StreamRuntime, Placeholder>()

  /** Whether MAX_VIEWERS are there already. */
  get isFull(): boolean {
    return this.#viewers.size >= MAX_VIEWERS
  }

  /** Takes the connection over and shows pictures on it until it closes. */
  show(reply: FastifyReply, view: Omit<View, 'placeholder'>): void {
    const socket = hijack(reply, { 'content-type': PREVIEW_MEDIA_TYPE, 'cache-control': 'no-store' })
    if (socket.closed) {
      view.watch.release() // he has left
      return
    }
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const placeholder = this.#placeholderOf(view.stream)
    const leave = placeholder.enter()
    const viewer = new Viewer(socket, { ...view, placeholder })
    this.#viewers.add(viewer)
    socket.once('close', () => {
      this.#viewers.delete(viewer)
      leave()
    })
  }

  endAll(): void {
    for (const viewer of this.#viewers) viewer.end()
  }

  #placeholderOf(stream: StreamRuntime): Placeholder {
    const known = this.#placeholders.get(stream)
    if (known) return known
    const made = new Placeholder(stream, () => this.#placeholders.delete(stream))
    this.#placeholders.set(stream, made)
    return made
  }
}
