// Live previews: MJPEG or video straight to the sockets of their viewers. A viewer lives from its request until it
// leaves, falls silent, or its stream is deleted.
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { ViewerPlaces } from '../../../machines/viewers/viewer-places.ts'
import { hijack } from '../../connections/connections.ts'
import { type MessageEnds, type MessageView, MessageViewer } from './message-viewer.ts'
import { PREVIEW_MEDIA_TYPE } from './picture-part.ts'
import { Placeholder } from './placeholder.ts'
import { VIDEO_MEDIA_TYPE } from './video-packet.ts'
import { type VideoView, VideoViewer } from './video-viewer.ts'
import { type View, Viewer } from './viewer.ts'

/** A viewer, as far as it can be sent away. */
type Leaving = Pick<Viewer, 'end'>

/** What is watched. output: of the pipeline; empty: the camera's pictures. */
interface Watched {
  readonly stream: StreamRuntime
  readonly output: string
}

/** All viewers of a server. */
export class Previews {
  readonly #places: ViewerPlaces
  readonly #viewers = new Set<Leaving>()
  readonly #placeholders = new Map<StreamRuntime, Map<string, Placeholder>>()

  constructor(places: ViewerPlaces) {
    this.#places = places
  }

  /**
   * Takes the connection over and shows pictures on it until it closes. output: of the pipeline, whose pictures these
   * are; empty: the camera's.
   */
  show(reply: FastifyReply, { output, ...view }: Omit<View, 'placeholder'> & { readonly output: string }): void {
    const isHere = this.#take(
      ...([reply, PREVIEW_MEDIA_TYPE] as const),
      { stream: view.stream, output },
      (socket, placeholder) => new Viewer(socket, { ...view, placeholder }),
    )
    if (!isHere) view.watch.release()
  }

  /** The same with video. */
  showVideo(reply: FastifyReply, view: Omit<VideoView, 'placeholder'>): void {
    this.#take(
      ...([reply, VIDEO_MEDIA_TYPE] as const),
      { stream: view.stream, output: '' },
      (socket, placeholder) => new VideoViewer(socket, { ...view, placeholder }),
    )
  }

  /** The same on a WebSocket that is open. */
  showMessages(
    ends: MessageEnds,
    { output, ...view }: Omit<MessageView, 'placeholder'> & Pick<Watched, 'output'>,
  ): void {
    if (ends.connection.closed) view.watch.release()
    else
      this.#enter(
        ends.connection,
        { stream: view.stream, output },
        (placeholder) => new MessageViewer(ends, { ...view, placeholder }),
      )
  }

  /** False: it has left. */
  #take(
    reply: FastifyReply,
    mediaType: string,
    of: Watched,
    viewerOn: (socket: Socket, placeholder: Placeholder) => Leaving,
  ): boolean {
    const socket = hijack(reply, { 'content-type': mediaType, 'cache-control': 'no-store' })
    if (socket.closed) return false
    this.#enter(socket, of, (placeholder) => viewerOn(socket, placeholder))
    return true
  }

  /** Until the connection closes. */
  #enter(connection: Socket, of: Watched, viewerWith: (placeholder: Placeholder) => Leaving): void {
    const placeholder = this.#placeholderOf(of)
    const leave = [placeholder.enter(), this.#places.take()]
    const viewer = viewerWith(placeholder)
    this.#viewers.add(viewer)
    connection.once('close', () => {
      this.#viewers.delete(viewer)
      for (const each of leave) each()
    })
  }

  endAll(): void {
    for (const viewer of this.#viewers) viewer.end()
  }

  #placeholderOf({ stream, output }: Watched): Placeholder {
    const ofStream = this.#placeholders.get(stream) ?? new Map<string, Placeholder>()
    const known = ofStream.get(output)
    if (known) return known
    const made = new Placeholder(stream, output, () => {
      ofStream.delete(output)
      if (ofStream.size === 0) this.#placeholders.delete(stream)
    })
    ofStream.set(output, made)
    this.#placeholders.set(stream, ofStream)
    return made
  }
}
