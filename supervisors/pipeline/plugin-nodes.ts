// The types of nodes that the enabled plugins bring are known as long as they are enabled.
import type { EventBus } from '../../actors/events/event-bus.ts'
import type { Latest } from '../../machines/latest.ts'
import { nodeTypesChanged } from '../../machines/pipeline/events.ts'
import { BroughtTypes } from '../../machines/pipeline/known-types.ts'
import type { InstalledPlugin } from '../../machines/plugins/installed.ts'
import { pluginNodeTypes } from '../../machines/plugins/nodes/node-types.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'

/** Returns the way to stop, after which none of them is known. */
export const followPluginNodes = (
  enabled: Latest<readonly InstalledPlugin[]>,
  events: Pick<EventBus, 'publish'>,
): (() => void) => {
  const brought = new BroughtTypes()
  let before: readonly InstalledPlugin[] = []
  const take = (all: readonly InstalledPlugin[]): void => {
    const plugins = all.filter(({ manifest }) => (manifest.provides.nodes ?? []).length > 0)
    if (isSameJson(plugins, before)) return
    before = plugins
    brought.set(pluginNodeTypes(plugins))
    events.publish(nodeTypesChanged, { resource_ref: {} })
  }
  if (enabled.value) take(enabled.value)
  const stop = enabled.subscribe(take)
  return () => {
    stop()
    brought.end()
  }
}
