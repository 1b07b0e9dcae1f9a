// The types of nodes that plugins bring, as the registry has its own.
import type { TSchema } from 'typebox'
import type { NodeType, NodeTypes, PortType } from '../../pipeline/node-type.ts'
import { STRICT } from '../../pipeline/node-type.ts'
import { PLUGIN_COST } from '../../pipeline/planning/type-of-step.ts'
import type { PluginStep } from '../../pipeline/plugin-step.ts'
import type { FieldLabels } from '../../schema/label.ts'
import Type from '../../schema/type.ts'
import type { InstalledPlugin } from '../installed.ts'
import type { NodeDeclaration, NodeParam } from '../node-declaration.ts'

/** What every node of a plugin has beside its own parameters. */
export const TIMEOUT_PARAM = 'timeout_ms'

const Timeout = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 50,
  description: 'The picture waits for it no longer than that, and has none of its results then.',
})

/** Of all plugins that are enabled, by `{plugin}.{type}`. */
export const pluginNodeTypes = (plugins: readonly InstalledPlugin[]): NodeTypes =>
  Object.fromEntries(
    plugins.flatMap((plugin) =>
      (plugin.manifest.provides.nodes ?? []).map((node) => [
        `${plugin.manifest.name}.${node.type}`,
        nodeTypeOf(plugin, node),
      ]),
    ),
  )

const nodeTypeOf = (plugin: InstalledPlugin, node: NodeDeclaration): NodeType => {
  const inputs = node.inputs.map(portOf)
  const outputs = node.outputs.map(portOf)
  return {
    category: 'plugins',
    description: `${node.title}. ${node.description}`.trim(),
    inputs,
    outputs,
    params: Type.Object(
      {
        ...Object.fromEntries(Object.entries(node.params).map(([name, param]) => [name, schemaOf(param)])),
        [TIMEOUT_PARAM]: Timeout,
      },
      STRICT,
    ),
    labels: NO_LABELS,
    live: [...Object.keys(node.params), TIMEOUT_PARAM],
    cost: PLUGIN_COST,
    plugin: stepOf(plugin, node, { inputs, outputs }),
  }
}

const NO_LABELS: FieldLabels = {}

const stepOf = (
  { manifest, folder, data_folder, granted }: InstalledPlugin,
  { program }: NodeDeclaration,
  ports: Pick<PluginStep, 'inputs' | 'outputs'>,
): PluginStep => ({
  plugin: manifest.name,
  version: manifest.version,
  folder,
  data_folder,
  program,
  has_network: granted.includes('network'),
  limits: manifest.limits,
  ...ports,
})

const portOf = ({ name, kind, format = 'gray' }: NodeDeclaration['inputs'][number]): PortType =>
  kind === 'image' ? { name, kind, format } : { name, kind }

/** Made anew of what is known of it: nothing else of a package gets into a schema. */
const schemaOf = (param: NodeParam): TSchema => {
  const { description } = param
  if (param.type === 'boolean') return Type.Boolean({ default: param.default, description })
  if (param.type === 'string' && param.enum) return Type.Enum([...param.enum], { default: param.default, description })
  if (param.type === 'string')
    return Type.String({ maxLength: param.maxLength ?? 200, default: param.default, description })
  const { type, minimum, maximum, default: value } = param
  const range = { minimum, maximum, default: value, description }
  return type === 'integer' ? Type.Integer(range) : Type.Number(range)
}
