// The plugins: their keeper, and who is told which of them are to run.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { pluginKeeperActor } from '../../actors/plugins/plugin-keeper-actor.ts'
import { Plugins } from '../../actors/plugins/plugins.ts'
import { PLUGIN_RUNS, PLUGINS } from '../../actors/plugins/tokens.ts'
import { settingsOrders } from '../../actors/settings/write-settings.ts'
import { Latest } from '../../machines/latest.ts'
import { ENABLED_PLUGINS } from '../../machines/plugins/enabled.ts'
import type { pluginKeeperMachine } from '../../machines/plugins/plugin-keeper-machine.ts'
import { pluginCollection } from '../../machines/plugins/stored-plugin.ts'
import { PLUGIN_PACKAGES } from '../../native/plugins/packages/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { pluginPorts } from './ports.ts'

export const pluginBranch = branch({
  collections: [pluginCollection],
  ports: pluginPorts,
  offers: [
    offer(ENABLED_PLUGINS, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug('plugins'))),
    offer(
      PLUGINS,
      { directory: DIRECTORY, packages: PLUGIN_PACKAGES, runs: PLUGIN_RUNS, enabled: ENABLED_PLUGINS },
      ({ directory: { settings }, ...parts }) => new Plugins({ settings, ...parts }),
    ),
  ],
  needs: {
    supervisor: SUPERVISOR,
    directory: DIRECTORY,
    record: RECORD,
    packages: PLUGIN_PACKAGES,
    plugins: PLUGINS,
    runs: PLUGIN_RUNS,
  },
  start: ({ supervisor, directory, ...parts }) => {
    const write = settingsOrders(directory)
    const logic = (): typeof pluginKeeperMachine => pluginKeeperActor({ ...parts, write })
    return supervisor.start({ id: 'plugin-keeper', incarnate: Effect.sync(() => ({ logic: logic() })) })
  },
})
