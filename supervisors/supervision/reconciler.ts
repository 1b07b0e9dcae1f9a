// One supervised child for each thing that is wanted.

import * as Effect from 'effect/Effect'
import { reconcilerActor } from '../../actors/supervision/reconciler-actor.ts'
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Pass, reconcilerMachine } from '../../machines/supervision/reconciler-machine.ts'
import type { RecordBugs } from './bugs.ts'
import type { Child, Supervisor } from './supervisor.ts'

/**
 * What is to run, by the id of the child (`streams/front`), and how it is brought about.
 *
 * Each function is called within a pass. One that throws harms its child alone, which is tried again with the next
 * pass; only `wanted` is of all.
 */
export interface WantedChildren<Wanted> {
  /** Of the reconciler, as health shows it. */
  readonly name: string
  /** Calls back after each change of what is wanted; returns the way to stop that. */
  readonly watch: (changed: () => void) => () => void
  readonly wanted: () => ReadonlyMap<string, Wanted>
  /** Whether what was brought about with `before` serves `after` as it is. */
  readonly isSame: (before: Wanted, after: Wanted) => boolean
  /** The child that does it; null: none shall run, and one that does is stopped. */
  readonly start: (id: string, wanted: Wanted) => Child | null
  /** Tells a child that is there what has changed. False: it cannot go on with that, and is started again. */
  readonly change?: (id: string, after: Wanted, before: Wanted) => Effect.Effect<boolean>
  /** It is not wanted any more, and about to be stopped. */
  readonly dropped?: (id: string) => void
  /** It could not be started, changed or stopped. */
  readonly stuck?: (id: string, fault: Fault) => void
}

const STEP_LIMIT = '5 seconds' // an engine is ended within 2 s; whatever takes longer shall not keep the others waiting

/** Makes passes for as long as its child runs. What it knows of its children outlives that child, as they do. */
export class Reconciler<Wanted> {
  readonly #supervisor: Supervisor
  readonly #onBug: RecordBugs
  readonly #children: WantedChildren<Wanted>
  readonly #applied = new Map<string, Wanted>()

  constructor(supervisor: Supervisor, onBug: RecordBugs, children: WantedChildren<Wanted>) {
    this.#supervisor = supervisor
    this.#onBug = onBug
    this.#children = children
  }

  /** The reconciler as a child of the supervisor, like those that it looks after. */
  get child(): Child<typeof reconcilerMachine> {
    const { name, watch } = this.#children
    const pass = (each: Pass) => Effect.suspend(() => this.#pass(each))
    return { id: name, incarnate: Effect.sync(() => ({ logic: reconcilerActor({ watch, pass }) })) }
  }

  #pass({ restart }: Pass): Effect.Effect<readonly Fault[]> {
    const wanted = this.#children.wanted()
    const dropped = [...this.#applied.keys()].filter((id) => !wanted.has(id))
    const steps = [
      ...dropped.map((id) => this.#step(id, () => this.#drop(id))),
      ...[...wanted].map(([id, each]) => this.#step(id, () => this.#keep(id, each, restart.includes(id)))),
    ]
    return Effect.map(Effect.all(steps, { concurrency: 'unbounded' }), (faults) =>
      faults.filter((fault) => fault !== undefined),
    )
  }

  /** Does it, or answers with the fault. */
  #step(id: string, step: () => Effect.Effect<void>): Effect.Effect<Fault | undefined> {
    const late = Effect.die(new Error(`it took more than ${STEP_LIMIT}`))
    return Effect.suspend(step).pipe(
      Effect.timeoutOrElse({ duration: STEP_LIMIT, orElse: () => late }),
      Effect.as(undefined),
      Effect.catchDefect((bug) => Effect.sync(() => this.#stuck(id, bug))),
    )
  }

  #stuck(id: string, bug: unknown): Fault {
    this.#onBug(id)(bug)
    const why = faultOf(bug).detail
    const fault: Fault = {
      code: 'child.stuck',
      resource: id,
      detail: oneLine`
        ${id} could not be brought to what the settings want of it (${why}). It is tried again every 15 s and with each
        change of the settings.
      `,
    }
    this.#children.stuck?.(id, fault)
    return fault
  }

  #drop(id: string): Effect.Effect<void> {
    this.#children.dropped?.(id)
    return Effect.map(this.#supervisor.stop(id), () => void this.#applied.delete(id))
  }

  #keep(id: string, wanted: Wanted, isRequested: boolean): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const before = this.#applied.get(id)
      const isSame = before !== undefined && this.#children.isSame(before, wanted)
      if (!isSame) yield* this.#bringAbout(id, wanted, before)
      this.#applied.set(id, wanted)
      if (!isRequested || before === undefined) return
      const isThere = yield* this.#supervisor.restart(id)
      if (!isThere) yield* this.#bringAbout(id, wanted, undefined) // it had ended by itself
    })
  }

  #bringAbout(id: string, wanted: Wanted, before: Wanted | undefined): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const isThere = before !== undefined && this.#supervisor.status(id) !== undefined
      if (isThere && this.#children.change && (yield* this.#children.change(id, wanted, before))) return
      const child = this.#children.start(id, wanted)
      yield* child ? this.#supervisor.start(child) : this.#supervisor.stop(id)
    })
  }
}
