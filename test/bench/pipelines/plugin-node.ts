// What a node of a plugin costs against one of ours that does the same: how long the stream's thread waits for it, and
// the CPU of that thread and of the plugin's processes together, beyond that of a plan that has neither. Pictures of
// 1280x800, turn about. How sharp they are: by focus-metric, by the same in C as a plugin, and by NumPy, which is for
// information and comes last, so that its process does not run beside the others.
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as Effect from 'effect/Effect'
import { header, RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import type { GraphDocument, Plan } from '../../../machines/pipeline/graph.ts'
import type { NodeTypes } from '../../../machines/pipeline/node-type.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { pluginNodeTypes } from '../../../machines/plugins/nodes/node-types.ts'
import { nodePlugin, sharpnessProgram } from '../../support/plugins/node-plugin.ts'
import { runEngine } from '../lab/engine.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { usageOf, usedByThose } from '../lab/usage.ts'

const FPS = 60
const FRAMES = 90 // of each turn: no process is to be ended meanwhile that is not used for 10 s
const WARM_UP = 20
const ROUNDS = 20

const NUMPY = `
import numpy
from vedette_plugin_node import node

def look(inputs, params):
    at = inputs["image"].array.astype(numpy.int32)
    mean = float(at[1:-1, 1:-1].mean())
    laplacian = at[:-2, 1:-1] + at[2:, 1:-1] + at[1:-1, :-2] + at[1:-1, 2:] - 4 * at[1:-1, 1:-1]
    return {"values": {"sharpness": float(laplacian.var()) / mean**2 if mean else 0.0}}

node.run(look)
`

type Kind = 'alone' | 'ours' | 'plugin' | 'numpy'

/** What one way of doing it took for a picture, µs. */
interface Taken {
  readonly stepUs: number
  readonly cpuUs: number
}
type Turn = Readonly<Record<Exclude<Kind, 'numpy'>, Taken>>

export const pluginNode: Measurement = async (lab): Promise<readonly Row[]> => {
  const stand = await standOf(lab)
  const turns: Turn[] = []
  while (turns.length < ROUNDS) {
    const [alone, ours, plugin] = [
      await stand.takenBy('alone'),
      await stand.takenBy('ours'),
      await stand.takenBy('plugin'),
    ]
    turns.push({ alone, ours, plugin })
    lab.say(JSON.stringify(turns.at(-1)))
  }
  const numpy = await stand.takenBy('numpy')
  const row = rowsOver(turns, `${ROUNDS} rounds of ${FRAMES} pictures of 1280x800`)
  const cpuOf = (turn: Turn, kind: keyof Turn) => turn[kind].cpuUs - turn.alone.cpuUs
  return [
    row('a node of a plugin (C) against ours: the step', '', (t) => t.plugin.stepUs / t.ours.stepUs, { atMost: 1.3 }),
    row('  the same: CPU of the thread and of the plugin', '', (t) => cpuOf(t, 'plugin') / cpuOf(t, 'ours'), {
      atMost: 1.3,
    }),
    row('  our step', 'us', (t) => t.ours.stepUs),
    row('  our step, CPU', 'us', (t) => cpuOf(t, 'ours')),
    row('  the step of the plugin', 'us', (t) => t.plugin.stepUs),
    row('  the step of the plugin, CPU', 'us', (t) => cpuOf(t, 'plugin')),
    row('  the same with NumPy', 'us', () => numpy.stepUs),
  ]
}

/** One engine, which is switched from one plan to the other: nothing else runs meanwhile. */
const standOf = async (lab: Lab) => {
  const plans = await plansOf(lab)
  const steps: Taken[] = []
  let came = () => {}
  const onResult = ({ layout, data }: Result): void => {
    const at = layout.stages.indexOf('look')
    const stepUs = at < 0 ? 0 : (data[RESULT_HEADER.length + at] as number)
    steps.push({ stepUs, cpuUs: header({ layout, data }, 'cpu_us') })
    came()
  }
  const source = { backend: 'synthetic', width_px: 1280, height_px: 800, fps: FPS, motion: 'still' } as const
  const { engine, pid } = await runEngine(lab, { manifest: { source, pipeline: ALONE }, onResult })
  const pictures = async (count: number): Promise<readonly Taken[]> => {
    steps.length = 0
    await new Promise<void>((resolve) => {
      came = () => steps.length >= count && resolve()
    })
    return steps.slice(0, count)
  }
  return {
    takenBy: async (kind: Kind): Promise<Taken> => {
      await Effect.runPromise(engine.setPlan(plans[kind]))
      await pictures(WARM_UP)
      const before = usageOf(pid)
      const took = await pictures(FRAMES)
      const byPlugin = usedByThose(before, usageOf(pid), (each) => each !== pid)
      return {
        stepUs: median(took.map(({ stepUs }) => stepUs)),
        cpuUs: median(took.map(({ cpuUs }) => cpuUs)) + byPlugin / FRAMES,
      }
    },
  }
}

const ALONE: GraphDocument = { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] }

const plansOf = async (lab: Lab): Promise<Readonly<Record<Kind, Plan>>> => {
  const t = { after: lab.defer }
  const compiled = nodePlugin(t, { runtime: 'executable', source: '' })
  copyFileSync(await sharpnessProgram(t), join(compiled.folder, 'node'))
  const numpy = nodePlugin(t, { source: NUMPY })
  const found = await promisify(execFile)('python3', ['-c', 'import numpy; print(numpy.__path__[0])'])
  for (const part of ['', '.libs'])
    cpSync(found.stdout.trim() + part, join(numpy.folder, `numpy${part}`), { recursive: true, dereference: true })
  const graphOf = (type: string, port: string, params: object = {}): GraphDocument => ({
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'look', type, params: { ...params } },
    ],
    edges: [{ from: 'source.image', to: 'look.image' }],
    outputs: [{ port: 'looked', from: `look.${port}` }],
  })
  const ofPlugin = (plugin: InstalledPlugin): Plan =>
    planOf(graphOf('trial.look', 'values', { timeout_ms: 1000 }), pluginNodeTypes([plugin]))
  return {
    alone: planOf(ALONE),
    ours: planOf(graphOf('focus-metric', 'focus')),
    plugin: ofPlugin(compiled),
    numpy: ofPlugin(numpy),
  }
}

const planOf = (graph: GraphDocument, types: NodeTypes = {}): Plan => {
  const planned = planGraph(graph, { ...types, ...nodeTypes })
  if (!planned.ok) throw new Error(planned.why)
  return planned.plan
}
