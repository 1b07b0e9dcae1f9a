// One supervised stream for each stored manifest that is enabled, but for those that the resource guard has paused, or
// whose camera is held.

import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalGraph } from '../../machines/pipeline/graph.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { StreamSnapshot } from '../../machines/stream/status-of.ts'
import type { streamMachine } from '../../machines/stream/stream-machine.ts'
import type { ChildStatus } from '../../machines/supervision/child.ts'
import type { Incarnate } from '../supervision/incarnation.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import {
  anyChild,
  type Child,
  type Failure,
  failureText,
  type LifecycleEvent,
  type Supervisor,
} from '../supervision/supervisor.ts'

/** Makes one incarnation of a stream: its engine is spawned and released with the scope. */
export type IncarnateStream = (stream: StreamRuntime) => Incarnate<typeof streamMachine>

/** A stream as it was wanted when it was looked at. One that was deleted and created again has another runtime. */
interface WantedStream {
  readonly stream: StreamRuntime
  /** Nothing of it runs for a while. */
  readonly isPaused: boolean
  /** The pipeline that is tried on it. */
  readonly tried: CanonicalGraph | undefined
  /** With that pipeline. */
  readonly stored: StoredValue<CanonicalManifest>
}

/** The name of the reconciler of streams, and what the ids of its children begin with. */
const STREAMS = 'streams'
const PREFIX = `${STREAMS}/`

/** What it takes to keep streams running. */
export interface StreamChildrenParts {
  readonly supervisor: Supervisor
  readonly streams: StreamRegistry
  readonly incarnate: IncarnateStream
}

export class StreamChildren implements WantedChildren<WantedStream> {
  readonly name = STREAMS
  readonly #supervisor: Supervisor
  readonly #streams: StreamRegistry
  readonly #incarnate: IncarnateStream
  /** Why a stream could not be brought to what is wanted, by the id of its child, until it is tried again. */
  readonly #stuck = new Map<string, Fault>()

  constructor({ supervisor, streams, incarnate }: StreamChildrenParts) {
    this.#supervisor = supervisor
    this.#streams = streams
    this.#incarnate = incarnate
  }

  readonly watch = (changed: () => void): (() => void) => this.#streams.subscribe(changed)

  wanted(): ReadonlyMap<string, WantedStream> {
    return new Map(
      this.#streams.all().map((stream) => {
        const isPaused = stream.pause !== null
        return [PREFIX + stream.id, { stream, isPaused, tried: stream.tried.graph, stored: stream.wanted }]
      }),
    )
  }

  isSame(before: WantedStream, after: WantedStream): boolean {
    const isAsStored = before.stream === after.stream && before.stored.revision === after.stored.revision
    return isAsStored && before.isPaused === after.isPaused && before.tried === after.tried
  }

  start(id: string, { stream, isPaused, stored }: WantedStream): Child | null {
    this.#retry(id, stream)
    this.#attach(id, stream)
    if (!stored.value.enabled || isPaused) return null
    // if deleted, it is being stopped
    const incarnate = Effect.suspend(() => (stream.isDeleted ? Effect.never : this.#incarnate(stream)))
    return anyChild({ id, incarnate, failure: (failure) => streamFailed(stream.id, failure) })
  }

  /** One that is down reads the new manifest when it comes back, which is now. */
  change(id: string, { stream, isPaused, stored }: WantedStream, before: WantedStream): Effect.Effect<boolean> {
    if (stream !== before.stream || !stored.value.enabled || isPaused) return Effect.succeed(false)
    this.#retry(id, stream)
    this.#supervisor.actor(id)?.send({ type: 'manifest.changed', stored })
    return Effect.as(this.#supervisor.retry(id), true)
  }

  stuck(id: string, fault: Fault): void {
    this.#stuck.set(id, fault)
    const stream = this.#streams.get(id.slice(PREFIX.length))
    if (!stream) return
    this.#attach(id, stream)
    stream.observe()
  }

  dropped(id: string): void {
    this.#stuck.delete(id)
  }

  /** Tells a stream that its child has another state, from which its own follows. */
  follow({ id, type }: LifecycleEvent): void {
    const stream = id.startsWith(PREFIX) ? this.#streams.get(id.slice(PREFIX.length)) : undefined
    if (!stream?.child) return
    if (type === 'started') this.#followActor(id, stream)
    stream.observe()
  }

  #retry(id: string, stream: StreamRuntime): void {
    if (this.#stuck.delete(id)) stream.observe()
  }

  #attach(id: string, stream: StreamRuntime): void {
    stream.child = {
      status: () => this.#statusOf(id),
      snapshot: () => this.#supervisor.snapshot(id) as StreamSnapshot | undefined,
    }
  }

  #statusOf(id: string): ChildStatus | undefined {
    const status = this.#supervisor.status(id)
    const fault = this.#stuck.get(id)
    if (!fault) return status
    return { ...(status ?? { id, since_ms: 0, restarts: 0 }), state: 'failed', fault }
  }

  #followActor(id: string, stream: StreamRuntime): void {
    const actor = this.#supervisor.actor(id) as ActorRefFrom<typeof streamMachine> | undefined
    const observe = () => stream.observe()
    actor?.subscribe({ next: observe, complete: observe, error: observe })
    // Its engine took a while to start; meanwhile there was nobody to be told of a change.
    if (actor && actor.getSnapshot().context.stored !== stream.wanted)
      actor.send({ type: 'manifest.changed', stored: stream.wanted })
  }
}

const streamFailed = (id: string, failure: Failure): Fault => ({
  code: 'stream.failed',
  detail: oneLine`
    ${failureText(`The stream ${id}`, failure)}, and at once by POST /v1/streams/${id}/restart or when it is changed. If
    it goes on, check the camera and its cable, try another source or pipeline, and report it with the file of GET
    /v1/errors/export.
  `,
})
