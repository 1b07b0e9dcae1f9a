// One supervised child for each stream of a peer that is worked on here, until nothing of it runs any more.
import * as Effect from 'effect/Effect'
import { type RemoteStreamParts, remoteStreamActor } from '../../actors/remote-streams/remote-stream-actor.ts'
import type { RemoteStream } from '../../actors/remote-streams/remote-streams.ts'
import { untilSo } from '../../actors/until-heard.ts'
import type { Listeners } from '../../machines/listeners.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

const NAME = 'remote-streams'

/** What it takes to keep them. */
export interface RemoteStreamChildrenParts extends Omit<RemoteStreamParts, 'remote' | 'callStream' | 'streamEnded'> {
  readonly supervisor: Supervisor
  readonly lifecycle: Listeners<LifecycleEvent>
}

export class RemoteStreamChildren implements WantedChildren<RemoteStream> {
  readonly name = NAME
  readonly #parts: RemoteStreamChildrenParts

  constructor(parts: RemoteStreamChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => this.#parts.all.subscribe(changed)

  wanted(): ReadonlyMap<string, RemoteStream> {
    return new Map(this.#parts.all.all().map((each) => [`${NAME}/${each.peer_id}/${each.stream_id}`, each]))
  }

  isSame(before: RemoteStream, after: RemoteStream): boolean {
    return before === after
  }

  start(id: string, remote: RemoteStream): Child {
    const { supervisor, lifecycle, ...parts } = this.#parts
    const logic = () =>
      remoteStreamActor({
        ...parts,
        remote,
        callStream: (stream) => supervisor.actor(`streams/${stream}`)?.send({ type: 'camera.appeared' }),
        streamEnded: (stream) => ended(supervisor, lifecycle, `streams/${stream}`),
      })
    return anyChild({ id, incarnate: Effect.sync(() => ({ logic: logic() })) })
  }
}

/** Done when there is no such child. */
const ended = (supervisor: Supervisor, lifecycle: Listeners<LifecycleEvent>, id: string): Effect.Effect<void> =>
  untilSo(
    (changed) =>
      lifecycle.add((event) => {
        if (event.id === id && event.type === 'stopped') changed()
      }),
    () => supervisor.status(id) === undefined,
  )
