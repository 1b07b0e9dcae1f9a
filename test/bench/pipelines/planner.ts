// What planning a graph costs beside reading it: JSON.parse and the check of its schema, which whoever takes a document
// does anyway. CPU of the thread, turn about. Graphs of several shapes, as users draw them and as nobody would; the
// same at 256 nodes, for what grows faster than the graph.
import { examineGraph } from '../../../machines/pipeline/examine.ts'
import { GraphDraft, MAX_NODES } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { randomGraph, seeded } from '../../support/engine/random-graphs.ts'
import type { Measurement } from '../lab/lab.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { chain, defaults, shared, wide } from './shapes.ts'

const NODES = 100
const MORE_NODES = 256
const ROUNDS = 12
const WARM_UP_ROUNDS = 2 // the compiler is done by then
// of each in a round, so that it takes ten times as long as what the clock of a thread is exact to, 4 ms on some
// systems
const TURNS = 200

const shapes: readonly (readonly [name: string, of: (size: number) => GraphDraft])[] = [
  ['a chain', chain],
  ['one feeds half of them', wide],
  ['half of them alike', shared],
  ['no parameter given', defaults],
  ['nodes of all kinds, by chance', (size) => randomGraph(seeded(size), size)],
]

export const planner: Measurement = async ({ say }): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (const [name, of] of shapes)
    for (const size of [NODES, MORE_NODES]) {
      const turns = turnsOf(JSON.stringify(of(size)))
      say(`${name}, ${size} nodes: ${median(turns.map(({ plan, read }) => plan / read)).toFixed(2)}`)
      const row = rowsOver(turns, `${ROUNDS} rounds of ${TURNS}`)
      const figure = { atMost: 5 }
      const what = `planning ${size} nodes (${name}) against JSON.parse and the check of the schema: CPU`
      rows.push(row(what, '', ({ plan, read }) => plan / read, size === NODES ? figure : undefined))
      rows.push(row('  planning', 'us', ({ plan }) => plan))
      rows.push(row('  with all diagnostics and the cost', 'us', ({ examine }) => examine))
    }
  rows.push(refusal())
  return rows
}

const fits = validatorOf(GraphDraft)

const read = (text: string): GraphDraft => {
  const graph = JSON.parse(text) as GraphDraft
  if (fits(graph).length > 0) throw new Error(JSON.stringify(fits(graph)))
  return graph
}

interface Turn {
  readonly read: number
  readonly plan: number
  readonly examine: number
}

/** In µs of CPU for each graph. What is once known of a graph is kept: every turn has one of its own. */
const turnsOf = (text: string): readonly Turn[] => {
  const turns = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, (): Turn => {
    const graphs: GraphDraft[] = []
    const reading = cpuOf(2 * TURNS, () => void graphs.push(read(text)))
    const planning = cpuOf(TURNS, (n) => planned(graphs[n] as GraphDraft))
    const examining = cpuOf(TURNS, (n) => examineGraph(graphs[TURNS + n] as GraphDraft))
    return { read: reading, plan: planning, examine: examining }
  })
  return turns.slice(WARM_UP_ROUNDS)
}

const planned = (graph: GraphDraft) => {
  const answer = planGraph(graph)
  if (!answer.ok) throw new Error(JSON.stringify(answer.errors))
}

const cpuOf = (times: number, work: (n: number) => void): number => {
  const before = process.threadCpuUsage()
  for (let n = 0; n < times; n++) work(n)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / times
}

/** What is far too large is found out before anybody plans it. */
const refusal = (): Row => {
  const text = JSON.stringify(chain(10_000))
  const took = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage()
    const errors = fits(JSON.parse(text))
    const { user, system } = process.threadCpuUsage(before)
    if (!errors.some(({ message }) => message.includes(`${MAX_NODES}`))) throw new Error(JSON.stringify(errors))
    return (user + system) / 1000
  })
  return rowsOver(took, `${ROUNDS} rounds`)('refusing 10,000 nodes, JSON.parse included', 'ms', (ms) => ms)
}
