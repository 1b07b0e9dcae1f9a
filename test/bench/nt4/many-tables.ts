// Whether many adapters disturb each other: 24 of them in one process, 50 results a second each, published to a robot
// in another process; how many of their ticks are late, against those of the same timers in a process that does
// nothing, in the same seconds. Robot code reads one topic of each table, to see that all comes.

import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { type Helper, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import { sessionWith } from './session.ts'

const TABLES = 24
const RATE = 50
const MIN = 0.9 // of the rate: one that came too soon after the one before makes way for the next
const ROUNDS = 8
const ROUND_MS = 10_000
const WARM_UP_MS = 10_000
const PERCENT_OF_A_CORE = 1e-4 // per microsecond in a second
const ROBOT = new URL('robot.ts', import.meta.url).pathname
const PROGRAM = new URL('tables.ts', import.meta.url).pathname

export const manyTables: Measurement = async (lab) => {
  const robot = start(lab, process.execPath, [ROBOT])
  const port = await robot.line()
  const tables = start(lab, process.execPath, [PROGRAM, String(TABLES), port])
  const empty = start(lab, process.execPath, [PROGRAM, String(TABLES), '0'])
  await Promise.all([tables.line(), empty.line()])
  const code = await sessionWith(lab, Number(port), 'reader')
  let [read, stamped] = [0, new Map<string, number>()]
  const topics = Array.from({ length: TABLES }, (_, n) => `/camera-${n}/t2d`)
  code.subscribe(topics, { all: true, periodic: 0.01 }, ({ topic, timestampUs }) => {
    if (stamped.get(topic.name) !== timestampUs) read += 1
    stamped.set(topic.name, timestampUs)
  })
  await delay(WARM_UP_MS)
  if (stamped.size < TABLES) throw new Error(`${stamped.size} tables are there instead of ${TABLES}`)
  await Promise.all([sinceLast(tables), sinceLast(empty)])

  const turns: Turn[] = []
  while (turns.length < ROUNDS) {
    read = 0
    stamped = new Map()
    const [startMs, cpuUs] = [performance.now(), processCpuUs(tables.pid)]
    await delay(ROUND_MS)
    const [ours, theirs] = await Promise.all([sinceLast(tables), sinceLast(empty)])
    const seconds = (performance.now() - startMs) / 1000
    const turn = {
      ours,
      theirs,
      rate: read / seconds / TABLES,
      core: ((processCpuUs(tables.pid) - cpuUs) / seconds) * PERCENT_OF_A_CORE,
    }
    if (turn.rate < MIN * RATE) throw new Error(`robot code got ${turn.rate.toFixed(1)} results a second of each table`)
    turns.push(turn)
    lab.say(
      oneLine`
        ${ours.late} of ${ours.ticks} late, of the empty process ${theirs.late} of ${theirs.ticks};
        ${turn.rate.toFixed(1)} results a second of each table, ${turn.core.toFixed(0)} % of a core
      `,
    )
  }
  return rowsOf(turns)
}

interface Ticks {
  readonly ticks: number
  readonly late: number
  readonly worst_ms: number
}

interface Turn {
  readonly ours: Ticks
  readonly theirs: Ticks
  /** Results of a table that robot code got in a second. */
  readonly rate: number
  /** Percent of one. */
  readonly core: number
}

const sinceLast = async (program: Helper): Promise<Ticks> => {
  program.tell('')
  return JSON.parse(await program.line()) as Ticks
}

const percent = ({ late, ticks }: Ticks): number => (100 * late) / ticks

const all = (turns: readonly Ticks[]): Ticks => ({
  ticks: turns.reduce((sum, { ticks }) => sum + ticks, 0),
  late: turns.reduce((sum, { late }) => sum + late, 0),
  worst_ms: Math.max(...turns.map(({ worst_ms }) => worst_ms)),
})

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const [ours, theirs] = [all(turns.map((turn) => turn.ours)), all(turns.map((turn) => turn.theirs))]
  const below = percent(ours) < percent(theirs) ? '; the empty process was late more often' : ''
  const row = rowsOver(turns, `${turns.length} rounds of ${ROUND_MS / 1000} s, ${ours.ticks} ticks${below}`)
  const whole = (row: Row, measured: number): Row => ({ ...row, measured })
  return [
    whole(
      row(
        `${TABLES} adapters at ${RATE} Hz: ticks later than 50 ms, minus those of the same timers in an empty process`,
        '%',
        (turn) => percent(turn.ours) - percent(turn.theirs),
        { atMost: 0.1 },
      ),
      percent(ours) - percent(theirs),
    ),
    whole(
      row('  theirs', '%', (turn) => percent(turn.ours)),
      percent(ours),
    ),
    whole(
      row('  those of the empty process', '%', (turn) => percent(turn.theirs)),
      percent(theirs),
    ),
    whole(
      row('  the latest of theirs', 'ms', (turn) => turn.ours.worst_ms),
      ours.worst_ms,
    ),
    whole(
      row('  that of the empty process', 'ms', (turn) => turn.theirs.worst_ms),
      theirs.worst_ms,
    ),
    row('  results of each table that robot code gets', 'Hz', (turn) => turn.rate),
    row('  CPU of the adapters', '% of a core', (turn) => turn.core),
  ]
}
