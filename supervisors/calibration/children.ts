// One supervised child for each capture that is stored.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import { type CaptureParts, captureActor } from '../../actors/calibration/capture-actor.ts'
import { type captureMachine, captureStateName } from '../../machines/calibration/capture-machine.ts'
import type { Listeners } from '../../machines/listeners.ts'
import type { SettingsStore } from '../../machines/settings/store.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

/** The name of the reconciler of captures, and what the ids of its children begin with. */
const NAME = 'captures'
const PREFIX = `${NAME}/`

/** What it takes to keep them. */
export interface CaptureChildrenParts extends Omit<CaptureParts, 'id'> {
  readonly supervisor: Supervisor
  readonly lifecycle: Listeners<LifecycleEvent>
  readonly settings: SettingsStore
}

/** A capture that is begun again after it was deleted is another one. */
interface WantedCapture {
  readonly created_at_ms: number
}

export class CaptureChildren implements WantedChildren<WantedCapture> {
  readonly name = NAME
  readonly #parts: CaptureChildrenParts

  constructor(parts: CaptureChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedCapture> {
    const all = Object.entries(this.#parts.captures.all())
    return new Map(all.map(([id, { value }]) => [PREFIX + id, { created_at_ms: value.created_at_ms }]))
  }

  isSame(before: WantedCapture, after: WantedCapture): boolean {
    return before.created_at_ms === after.created_at_ms
  }

  start(child: string): Child {
    const { supervisor, lifecycle, settings, ...parts } = this.#parts
    return anyChild({
      id: child,
      incarnate: Effect.sync(() => ({ logic: captureActor({ ...parts, id: child.slice(PREFIX.length) }) })),
    })
  }

  dropped(child: string): void {
    this.#parts.captures.forget(child.slice(PREFIX.length))
  }

  /** Tells readers what a capture sees, and a capture that somebody asks for it. */
  follow(): () => void {
    const { supervisor, lifecycle, captures } = this.#parts
    const stops = [
      lifecycle.add(({ id, type }) => {
        if (id.startsWith(PREFIX) && type === 'started') this.#show(id)
      }),
      captures.onAsked((id) => supervisor.actor(PREFIX + id)?.send({ type: 'attention.paid' })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  #show(child: string): void {
    const { supervisor, captures } = this.#parts
    const actor = supervisor.actor(child) as ActorRefFrom<typeof captureMachine> | undefined
    actor?.subscribe({
      next: (snapshot) => {
        const { known, refusal, trouble, job_id } = snapshot.context
        captures.show(child.slice(PREFIX.length), {
          state: captureStateName(snapshot),
          known,
          refusal,
          trouble,
          job_id,
        })
      },
      error: () => {},
    })
  }
}
