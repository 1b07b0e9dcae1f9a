// The stored pipelines, of which streams run copies, and the types of nodes that plugins bring.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { nodeTypesChanged } from '../../machines/pipeline/events.ts'
import { graphCollection } from '../../machines/pipeline/stored-graphs.ts'
import { ENABLED_PLUGINS } from '../../machines/plugins/enabled.ts'
import { branch } from '../composition/branch.ts'
import { followPluginNodes } from './plugin-nodes.ts'
import { pipelinePorts } from './ports.ts'

export const pipelineBranch = branch({
  collections: [graphCollection],
  events: [nodeTypesChanged],
  ports: pipelinePorts,
  needs: { enabled: ENABLED_PLUGINS, directory: DIRECTORY },
  start: ({ enabled, directory }) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => followPluginNodes(enabled, directory.events)),
        (stop) => Effect.sync(stop),
      ),
    ),
})
