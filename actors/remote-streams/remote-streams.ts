// Which streams of peers are processed here. A stored stream whose source is one of a peer stands for the order to do
// so; what is kept beside it is where an engine takes the pictures, and that something of it may still run when it is
// not stored any more.

import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { AttachedStream, PeersStream } from '../../machines/stream/sources/source-kind.ts'
import { attachedStreamOf } from '../../machines/stream/sources/traits.ts'
import type { UrlSource } from '../../machines/stream/sources/url.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** A stream of a peer that is worked on here, or was a moment ago. */
export class RemoteStream {
  readonly peer_id: string
  readonly stream_id: string
  /** Told when it is attached or detached. */
  readonly changed: Listeners<void>
  /** The stream of this device, the newest one. */
  stream: StreamRuntime
  /** Whether that is stored. */
  isAttached = true
  /**
   * Whether its peer was registered at some time in this run. One that never was may be a document that could not be
   * read.
   */
  hadPeer = false
  /** Where an engine of this device has its pictures; undefined while there is no such place. */
  inlet: string | undefined
  /** Why the peer gave none when it was asked last; undefined: it did. */
  refusal: Fault | undefined

  constructor({ peer_id, stream_id }: PeersStream, stream: StreamRuntime, onBug?: OnBug) {
    this.peer_id = peer_id
    this.stream_id = stream_id
    this.stream = stream
    this.changed = new Listeners(onBug)
  }
}

/** streams: all that are stored. */
export interface RemoteStreamsParts {
  readonly streams: Pick<StreamRegistry, 'all' | 'subscribe'>
  readonly onBug?: OnBug
}

/** All of them. */
export class RemoteStreams {
  readonly #parts: RemoteStreamsParts
  readonly #remote = new Map<string, RemoteStream>()
  readonly #changed: Listeners<void>
  readonly #moved: Listeners<PeersStream>

  constructor(parts: RemoteStreamsParts) {
    this.#parts = parts
    this.#changed = new Listeners(parts.onBug)
    this.#moved = new Listeners(parts.onBug)
    this.#follow()
    parts.streams.subscribe(() => this.#follow())
  }

  get(peer_id: string, stream_id: string): RemoteStream | undefined {
    return this.#remote.get(keyOf({ peer_id, stream_id }))
  }

  all(): readonly RemoteStream[] {
    return [...this.#remote.values()]
  }

  /** Calls back when there is one more, or one less; returns the way to stop that. */
  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  /**
   * Calls back with a stream of a peer whose pictures are worked on elsewhere now, or by another stream of this device;
   * returns the way to stop that.
   */
  onMoved(moved: (stream: PeersStream) => void): () => void {
    return this.#moved.add(moved)
  }

  /** Nothing of it runs here any more. */
  released(remote: RemoteStream): void {
    const key = keyOf(remote)
    if (remote.isAttached || this.#remote.get(key) !== remote) return
    this.#remote.delete(key)
    this.#changed.notify()
    this.#moved.notify(remote)
  }

  /** Where an engine finds the pictures; or why it finds none now. */
  readonly sourceOf = ({ peer_id, stream_id, fps }: AttachedStream): UrlSource | Fault => {
    const inlet = this.get(peer_id, stream_id)?.inlet
    if (inlet !== undefined) return { backend: 'url', url: inlet, fps }
    const detail = oneLine`
      The way to the pictures of ${stream_id} of the peer ${peer_id} is not open yet. It is asked for again by itself.
    `
    return { code: 'camera.missing', detail }
  }

  /** The same fault in words that name the peer: an engine knows but the inlet. */
  readonly explained = ({ peer_id, stream_id }: PeersStream, fault: Fault): Fault => {
    const why = this.get(peer_id, stream_id)?.refusal?.detail
    const what = why ?? (fault.code === 'camera.lost' ? 'they have ended' : 'it sends none')
    const detail = oneLine`
      No pictures come of ${stream_id} of the peer ${peer_id}: ${what}. They are asked for again by themselves.
    `
    return fault.code.startsWith('camera.') ? { ...fault, detail } : fault
  }

  #follow(): void {
    const left = new Set([...this.#remote.values()].filter(({ isAttached }) => isAttached))
    const moved: PeersStream[] = []
    let isNew = false
    for (const stream of this.#parts.streams.all()) {
      const source = attachedStreamOf(stream.manifest.source)
      if (!source) continue
      const known = this.#remote.get(keyOf(source))
      if (known) left.delete(known)
      if (!known) {
        this.#remote.set(keyOf(source), new RemoteStream(source, stream, this.#parts.onBug))
        moved.push(source)
        isNew = true
      } else if (known.stream !== stream || !known.isAttached) {
        known.stream = stream
        known.isAttached = true
        moved.push(known)
        known.changed.notify()
      }
    }
    for (const remote of left) {
      remote.isAttached = false
      moved.push(remote)
      remote.changed.notify()
    }
    if (isNew) this.#changed.notify()
    for (const each of moved) this.#moved.notify(each)
  }
}

/** No id has a slash in it. */
const keyOf = ({ peer_id, stream_id }: PeersStream): string => `${peer_id}/${stream_id}`
