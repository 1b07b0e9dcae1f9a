// The keeper of plugins, with its effects: packages on the disk, what is stored, and those who run the programs.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import {
  type ConcludeInput,
  type PluginKeeperActions,
  type PluginKeeperEffects,
  type PluginKeeperEvent,
  pluginKeeperMachine,
  type WriteInput,
} from '../../machines/plugins/plugin-keeper-machine.ts'
import { pluginCollection, type StoredPlugin } from '../../machines/plugins/stored-plugin.ts'
import {
  type FirstWrite,
  firstWrite,
  firstWriteOfInstall,
  goneBack,
  keptReleases,
  missingFiles,
  secondWrite,
  staleOrder,
  type UnpackedPackage,
} from '../../machines/plugins/transitions.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { deleteOrder, putOrder } from '../../machines/settings/commit.ts'
import type { PluginPackages } from '../../native/plugins/packages/port.ts'
import { answerOrFail, fromEffect, fromScoped, keep, orFail, within } from '../run.ts'
import type { OrderSettings } from '../settings/write-settings.ts'
import type { Plugins } from './plugins.ts'
import type { PluginRuns } from './tokens.ts'

/** What the keeper works with. */
export interface PluginKeeperParts {
  readonly packages: PluginPackages
  readonly plugins: Plugins
  readonly write: OrderSettings
  readonly runs: PluginRuns
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** How long a program may take until it is up. */
  readonly upLimit?: Duration.Input
}

const UP_LIMIT = '60 seconds' // a program that loads a model on a small board
const GONE_LIMIT = '20 seconds' // what is asked to end is killed after some of these

/** Takes `plugin.install`, `plugin.enable`, `plugin.disable` and `plugin.remove`. */
export const pluginKeeperActor = (parts: PluginKeeperParts) => {
  const { packages, plugins, write, runs, record, upLimit = UP_LIMIT } = parts
  const put = (name: string, stored: StoredPlugin) => Effect.asVoid(write(putOrder(pluginCollection, name, stored)))
  return pluginKeeperMachine.provide({
    actors: {
      restore: fromEffect(() => restore(parts)),
      watchRuns: fromScoped<never, void, PluginKeeperEvent>((_, { send, guard }) =>
        keep(
          () => runs.onGivenUp(guard((name, fault) => send({ type: 'plugin.give_up', name, fault }))),
          (stop) => stop(),
        ),
      ),
      unpack: fromEffect(
        ({ upload }: { readonly upload: string }): Effect.Effect<UnpackedPackage, Fault> =>
          Effect.map(
            answerOrFail(() => packages.unpack(upload)),
            (note) => {
              plugins.note(note)
              return note
            },
          ),
      ),
      write: fromEffect((input: WriteInput) =>
        Effect.gen(function* () {
          const first = yield* orFail(firstWriteIn(plugins, input))
          const { name, stored } = first
          if (stored) yield* put(name, stored)
          return first
        }),
      ),
      awaitUp: fromEffect(({ name }) =>
        Effect.suspend(() => {
          const plugin = plugins.installed(name)
          if (plugin) return within(upLimit, tooSlow(name))(runs.whenUp(plugin))
          const stored = plugins.stored(name)
          return stored ? Effect.fail(missingFiles(name, stored)) : Effect.void
        }),
      ),
      awaitGone: fromEffect(({ name }) => within(GONE_LIMIT, notGone(name))(runs.whenGone(name))),
      conclude: fromEffect(({ name, fault }: ConcludeInput) =>
        Effect.suspend(() => {
          const stored = plugins.stored(name)
          if (!stored) return Effect.void
          if (fault) record({ ...whyNot(stored, fault), resource: `plugins/${name}` })
          return put(name, secondWrite(stored, fault))
        }),
      ),
      sweep: fromEffect(({ name }) =>
        Effect.suspend(() => {
          const stored = plugins.stored(name)
          const kept = stored && stored.state !== 'removing' ? keptReleases(stored) : []
          plugins.keepOnly(name, kept)
          const done = () => (stored?.state === 'removing' ? packages.remove(name) : packages.sweep(name, kept))
          return Effect.asVoid(answerOrFail(done))
        }),
      ),
      forget: fromEffect(({ name }) =>
        Effect.map(write(deleteOrder(pluginCollection, name)), ({ revision }) => revision),
      ),
    } satisfies Required<PluginKeeperEffects>,
    actions: {
      showEnabled: () => plugins.showEnabled(),
      record: (_, fault) => record(fault),
    } satisfies Required<PluginKeeperActions>,
  })
}

/** What of it stays undone is done at the next start. */
const restore = ({ packages, plugins, record }: PluginKeeperParts): Effect.Effect<readonly string[], Fault> =>
  Effect.gen(function* () {
    const found = yield* answerOrFail(() => packages.restore())
    plugins.found(found)
    const all = plugins.all()
    for (const name of found.keys()) {
      const stored = all[name]?.value
      const kept = stored ? keptReleases(stored) : []
      plugins.keepOnly(name, kept)
      const done = yield* Effect.promise(() => packages.sweep(name, kept))
      if (isFault(done)) record(done)
    }
    for (const [name, { value }] of Object.entries(all))
      if (value.state !== 'removing' && !plugins.manifest(name)) record(missingFiles(name, value))
    return Object.entries(all)
      .filter(([, { value }]) => value.state === 'starting' || value.state === 'removing')
      .map(([name]) => name)
  })

const firstWriteIn = (plugins: Plugins, { order, unpacked }: WriteInput): FirstWrite | Fault => {
  const name = order.type === 'plugin.install' ? (unpacked?.manifest.name ?? '') : order.name
  const stale = staleOrder(name, order, plugins.document(name))
  if (stale) return stale
  if (order.type === 'plugin.install')
    return firstWriteOfInstall(unpacked as UnpackedPackage, order, plugins.stored(name))
  return firstWrite(order, { stored: plugins.stored(name), manifest: plugins.manifest(name) })
}

const whyNot = ({ version, previous }: StoredPlugin, fault: Fault): Fault =>
  previous ? goneBack({ version, previous: previous.version }, fault) : fault

const tooSlow = (name: string): Fault => ({
  code: 'plugin.failed',
  detail: `the program of ${name} did not say that it is ready in time`,
})

const notGone = (name: string): Fault => ({
  code: 'actor.timeout',
  detail: oneLine`
    what runs of ${name} has not ended yet; that it is not to run is stored, and its files are removed at the next start
  `,
})
