// What is known of the type of a step of a plan, by the plan alone.
import type { PlanStep } from '../graph.ts'
import type { NodeType } from '../node-type.ts'
import type { PluginStep } from '../plugin-step.ts'
import { nodeTypes } from '../registry.ts'

/** As much as planning needs of what a plugin does. */
type StepType = Pick<NodeType, 'inputs' | 'outputs' | 'cost' | 'size' | 'keeps' | 'live'>

/** What a look at a picture costs in another process, whatever is done there. */
export const PLUGIN_COST = { us: 100, ns_per_px: 1 }

/** Also of one that a plugin does which is gone by now. */
export const typeOfStep = ({ type, plugin }: Pick<PlanStep, 'type' | 'plugin'>): StepType =>
  plugin ? typeOfPlugin(plugin) : (nodeTypes[type] as NodeType)

/** Pictures are written where its program sees them. */
const typeOfPlugin = ({ inputs, outputs }: PluginStep): StepType => ({ inputs, outputs, cost: PLUGIN_COST, keeps: 1 })
