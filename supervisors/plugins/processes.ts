// One supervised child for the program of each plugin that is enabled and has one.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import { type PluginActorParts, pluginActor } from '../../actors/plugins/process/plugin-actor.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import type { Listeners } from '../../machines/listeners.ts'
import { type InstalledPlugin, runsAs } from '../../machines/plugins/installed.ts'
import { type pluginMachine, pluginStateName } from '../../machines/plugins/plugin-machine.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

/** The name of the reconciler, and what the ids of its children begin with. */
const NAME = 'plugin-programs'
const PREFIX = `${NAME}/`

export interface PluginProcessesParts extends Omit<PluginActorParts, 'plugin' | 'record'> {
  readonly supervisor: Supervisor
  readonly lifecycle: Listeners<LifecycleEvent>
  readonly enabled: Latest<readonly InstalledPlugin[]>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

export class PluginProcesses implements WantedChildren<InstalledPlugin> {
  readonly name = NAME
  readonly #parts: PluginProcessesParts

  constructor(parts: PluginProcessesParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => this.#parts.enabled.subscribe(changed)

  wanted(): ReadonlyMap<string, InstalledPlugin> {
    const all = this.#parts.enabled.value ?? []
    return new Map(
      all.filter(({ manifest }) => manifest.program).map((plugin) => [PREFIX + plugin.manifest.name, plugin]),
    )
  }

  isSame(before: InstalledPlugin, after: InstalledPlugin): boolean {
    return runsAs(before, after)
  }

  start(id: string, plugin: InstalledPlugin): Child {
    const { supervisor, lifecycle, enabled, record, ...parts } = this.#parts
    const { runtimes } = parts
    const incarnate = Effect.gen(function* () {
      runtimes.hold(plugin)
      yield* Effect.addFinalizer(() => Effect.sync(() => runtimes.release(plugin)))
      return { logic: pluginActor({ ...parts, plugin, record: (fault) => record({ resource: id, ...fault }) }) }
    })
    return anyChild({ id, incarnate })
  }

  dropped(id: string): void {
    this.#parts.runtimes.forget(id.slice(PREFIX.length))
  }

  /** Shows readers how each does. */
  follow(): () => void {
    const { lifecycle, supervisor, runtimes } = this.#parts
    return lifecycle.add(({ id, type }) => {
      if (!id.startsWith(PREFIX) || type !== 'started') return
      const actor = supervisor.actor(id) as ActorRefFrom<typeof pluginMachine> | undefined
      const show = () => {
        const snapshot = actor?.getSnapshot()
        if (snapshot)
          runtimes.show(id.slice(PREFIX.length), {
            state: pluginStateName(snapshot),
            fault: snapshot.context.fault,
          })
      }
      actor?.subscribe({ next: show, complete: show, error: () => {} })
      show()
    })
  }
}
