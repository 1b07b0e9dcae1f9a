// The programs of plugins: what runs them, and what others have of that.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { NT4_LINK } from '../../actors/nt4/tokens.ts'
import { pluginJobKind } from '../../actors/plugins/process/plugin-jobs.ts'
import { PluginRuntimes } from '../../actors/plugins/process/plugin-runtimes.ts'
import { PLUGIN_ROUTES, PLUGIN_RUNS } from '../../actors/plugins/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { type AskInside, INSIDE } from '../../machines/http/inside.ts'
import { Latest } from '../../machines/latest.ts'
import { ENABLED_PLUGINS } from '../../machines/plugins/enabled.ts'
import { pluginEvent } from '../../machines/plugins/events.ts'
import { PLUGIN_PANELS } from '../../machines/plugins/panel/plugin-panels.ts'
import { token } from '../../machines/token.ts'
import { PLUGIN_PROGRAMS } from '../../native/plugins/process/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { programPorts } from './ports.ts'
import { PluginProcesses } from './processes.ts'

const PLUGIN_RUNTIMES = token<PluginRuntimes>('plugin-runtimes')

/** Before the jobs: it says which of them take no turn. */
export const pluginProgramBranch = branch({
  events: [pluginEvent],
  ports: programPorts,
  offers: [
    offer(PLUGIN_RUNTIMES, { onBug: ON_BUG }, ({ onBug }) => new PluginRuntimes(onBug('plugin-programs'))),
    offer(PLUGIN_RUNS, { runtimes: PLUGIN_RUNTIMES }, ({ runtimes }) => runtimes),
    offer(PLUGIN_ROUTES, { runtimes: PLUGIN_RUNTIMES }, ({ runtimes }) => runtimes),
    offer(PLUGIN_PANELS, { runtimes: PLUGIN_RUNTIMES }, ({ runtimes }) => runtimes),
    offer(INSIDE, { onBug: ON_BUG }, ({ onBug }) => new Latest<AskInside | undefined>(onBug('http'))),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    enabled: ENABLED_PLUGINS,
    runtimes: PLUGIN_RUNTIMES,
    programs: PLUGIN_PROGRAMS,
    link: NT4_LINK,
    streams: STREAM_REGISTRY,
    jobs: JOBS,
    inside: INSIDE,
    record: RECORD,
  },
  start: ({ directory: { clock, events }, ...parts }) =>
    Effect.gen(function* () {
      parts.jobs.declare(pluginJobKind)
      const processes = new PluginProcesses({ ...parts, events, nowUs: clock.monotonicUs })
      yield* Effect.acquireRelease(
        Effect.sync(() => processes.follow()),
        (stop) => Effect.sync(stop),
      )
      yield* keepAsWanted(parts, processes)
    }),
})
