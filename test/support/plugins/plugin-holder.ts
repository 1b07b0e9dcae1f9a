// A service that has started one plugin, for a test that kills it: `plugin-holder.ts LAUNCHER PLUGIN`, the plugin as
// JSON. It writes what the program prints.
import * as Effect from 'effect/Effect'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { linuxPluginPrograms } from '../../../native/plugins/process/linux.ts'

const [launcher = '', plugin = ''] = process.argv.slice(2)

await Effect.runPromise(
  linuxPluginPrograms({ launcher }).start(JSON.parse(plugin) as InstalledPlugin, {
    message: () => {},
    refused: () => {},
    confined: () => {},
    printed: (line) => process.stdout.write(`${line}\n`),
    gone: () => {},
  }),
)
