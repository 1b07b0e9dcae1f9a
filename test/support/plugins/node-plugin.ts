// Plugins with one node, for tests: their programs are written to a folder of the test's own.
import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { BroughtTypes } from '../../../machines/pipeline/known-types.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { DEFAULT_LIMITS, type PluginManifest } from '../../../machines/plugins/manifest.ts'
import type { NodeDeclaration } from '../../../machines/plugins/node-declaration.ts'
import { pluginNodeTypes } from '../../../machines/plugins/nodes/node-types.ts'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'

type Runtime = NodeDeclaration['program']['runtime']

/** What a test says of a node. source: of its program, or of an executable script. */
export interface NodeOfTest extends Partial<Pick<NodeDeclaration, 'inputs' | 'outputs' | 'params'>> {
  readonly runtime?: Runtime
  readonly source: string
  readonly version?: string
}

const FILES: Readonly<Record<Runtime, string>> = { python: 'node.py', node: 'node.mjs', executable: 'node' }

/** A plugin `trial` with a node `trial.look`: a grey picture in, values out, unless said otherwise. */
export const nodePlugin = (t: Lifetime, node: NodeOfTest): InstalledPlugin => {
  const { runtime = 'python', source, version = '1.0.0', inputs = GRAY, outputs = VALUES, params = {} } = node
  const folder = folderOf(t)
  chmodSync(folder, 0o755) // whoever runs programs of plugins is nobody
  const path = FILES[runtime]
  writeFileSync(join(folder, path), source)
  chmodSync(join(folder, path), 0o755)
  const manifest: PluginManifest = {
    name: 'trial',
    version,
    minimum_api: 1,
    title: 'Trial',
    description: '',
    permissions: [],
    limits: DEFAULT_LIMITS,
    provides: {
      nodes: [
        {
          type: 'look',
          title: 'Look',
          description: 'Looks.',
          program: { runtime, path },
          inputs: [...inputs],
          outputs: [...outputs],
          params,
        },
      ],
    },
  }
  return { manifest, folder, data_folder: folderOf(t), granted: [] }
}

const GRAY: NodeDeclaration['inputs'] = [{ name: 'image', kind: 'image', format: 'gray' }]
const VALUES: NodeDeclaration['outputs'] = [{ name: 'values', kind: 'values' }]

/** Its nodes are known until the test ends. */
export const bringNodes = (t: Lifetime, ...plugins: readonly InstalledPlugin[]): BroughtTypes => {
  const brought = new BroughtTypes()
  brought.set(pluginNodeTypes(plugins))
  t.after(() => brought.end())
  return brought
}

/** Tags of a picture, and beside them what `trial.look` makes of it. */
export const lookedAt = (
  { manifest }: InstalledPlugin,
  params: Readonly<Record<string, unknown>> = {},
): GraphDocument => {
  const [node] = manifest.provides.nodes ?? []
  const outputs = node?.outputs ?? []
  return {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'found', type: 'apriltag' },
      { id: 'look', type: 'trial.look', params },
    ],
    edges: [
      { from: 'source.image', to: 'found.image' },
      ...(node?.inputs ?? []).map(({ name, kind, format }) => {
        const from = kind === 'image' ? (format === 'colour' ? 'source.colour' : 'source.image') : `found.${kind}`
        return { from, to: `look.${name}` }
      }),
    ],
    outputs: [
      { port: 'tags', from: 'found.detections' },
      ...outputs.map(({ name }) => ({ port: `looked_${name}`, from: `look.${name}` })),
    ],
  }
}

/** Compiles the node that knows nothing but the wire: `sharpness` among its values, as focus-metric has it. */
export const sharpnessProgram = async (t: Lifetime): Promise<string> => {
  const program = join(folderOf(t), 'sharpness')
  const source = join(import.meta.dirname, 'sharpness.c')
  await promisify(execFile)('gcc', ['-O3', '-ffp-contract=off', '-Wall', '-Wextra', '-Werror', '-o', program, source])
  return program
}
