// What the keeper of plugins needs of those who run their programs.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../machines/plugins/installed.ts'
import type { PluginRun } from '../../machines/plugins/process/plugin-run.ts'
import type { PluginAnswer, PluginRequest } from '../../machines/plugins/process/route.ts'
import { token } from '../../machines/token.ts'
import type { Plugins } from './plugins.ts'

/** The programs of the plugins that are enabled (ENABLED_PLUGINS). */
export interface PluginRuns {
  /**
   * Waits until the program of this plugin, which is enabled, says that it is ready; at once where it has none. Fails
   * with `plugin.failed` and why.
   */
  readonly whenUp: (plugin: InstalledPlugin) => Effect.Effect<void, Fault>
  /** Waits until nothing of a plugin, which is not enabled any more, runs. */
  readonly whenGone: (name: string) => Effect.Effect<void>
  readonly run: (name: string) => PluginRun | undefined
  /** Calls `listener` when one is given up, after crashes in a row; returns the way to stop that. */
  readonly onGivenUp: (listener: (name: string, fault: Fault) => void) => () => void
}
export const PLUGIN_RUNS = token<PluginRuns>('plugin-runs')

/** The routes of plugins. */
export interface PluginRoutes {
  /**
   * Asks the program of a plugin. `plugin.not_found`, `plugin.no_route` (it provides none), `plugin.not_running`,
   * `plugin.too_slow`, `plugin.bad_answer`.
   */
  readonly request: (name: string, request: PluginRequest) => Promise<PluginAnswer | Fault>
}
export const PLUGIN_ROUTES = token<PluginRoutes>('plugin-routes')

/** The plugins, as they are known. */
export const PLUGINS = token<Plugins>('plugins')
