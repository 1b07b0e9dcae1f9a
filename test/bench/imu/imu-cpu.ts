// What a chip that says 1000 samples in a second costs in the service, against a loop that reads the same bytes in the
// same way and counts them, in the same seconds. Counted is all that each process uses, with the one that it reads
// through.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { addIioDevice, makeIioTree, WHOLE } from '../../support/imu/iio-tree.ts'
import { type Helper, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { rowsOver } from '../lab/row.ts'

const ROUNDS = 10
const ROUND_MS = 5_000
const WARM_UP_MS = 10_000
const RATE_HZ = 1_000
const MIN = 0.95 // of the samples
const PERCENT_OF_A_CORE = 1e-4 // per microsecond in a second
const here = (file: string): string => new URL(file, import.meta.url).pathname

/** 1000 samples in a second is what the chip is set to, as far as its files say. */
const CHIP = { ...WHOLE, sampling_frequency: '1000\n', sampling_frequency_available: '1000\n' }

export const imuCpu: Measurement = async (lab) => {
  const robot = start(lab, process.execPath, [here('../nt4/robot.ts')])
  const port = await robot.line()
  const kinds = ['bare', 'fusion', 'all'] as const
  const roots = kinds.map((kind) => join(lab.folder, kind))
  const pipes = roots.map((root) => {
    mkdirSync(root)
    makeIioTree(root)
    return addIioDevice(root, 0, 'i2c-1/1-0068', CHIP)
  })
  const chip = start(lab, process.execPath, [here('chip.ts'), ...pipes])
  await chip.line()
  const readers = kinds.map((kind, n) =>
    start(lab, process.execPath, [here('reader.ts'), kind, roots[n] as string, port]),
  )
  for (const reader of readers) await reader.line()
  await delay(WARM_UP_MS)

  const turns: Turn[] = []
  while (turns.length < ROUNDS) {
    const before = await Promise.all(readers.map(usage))
    const startMs = performance.now()
    await delay(ROUND_MS)
    const after = await Promise.all(readers.map(usage))
    const seconds = (performance.now() - startMs) / 1_000
    const perSecond = after.map(({ us, count }, n) => ({
      us: (us - (before[n] as Usage).us) / seconds,
      rate: (count - (before[n] as Usage).count) / seconds,
    }))
    for (const { rate } of perSecond)
      if (rate < MIN * RATE_HZ) throw new Error(`${rate.toFixed(0)} samples a second came instead of ${RATE_HZ}`)
    const [bareUs = 0, fusionUs = 0, allUs = 0] = perSecond.map(({ us }) => us)
    turns.push({ bareUs, fusionUs, allUs })
    lab.say(oneLine`
      ${(bareUs * PERCENT_OF_A_CORE).toFixed(2)} % of a core bare, ${(fusionUs * PERCENT_OF_A_CORE).toFixed(2)} % with
      fusion, ${(allUs * PERCENT_OF_A_CORE).toFixed(2)} % with all
    `)
  }

  const row = rowsOver(turns, `${ROUNDS} rounds of ${ROUND_MS / 1_000} s`)
  return [
    row('1 kHz into fusion, side-car and table: CPU against a bare read loop', '', (turn) => turn.allUs / turn.bareUs, {
      atMost: 2,
    }),
    row('the same into fusion and one listener', '', (turn) => turn.fusionUs / turn.bareUs),
    row('the same: bare', '% of a core', (turn) => turn.bareUs * PERCENT_OF_A_CORE),
    row('the same: fusion, side-car and table', '% of a core', (turn) => turn.allUs * PERCENT_OF_A_CORE),
  ]
}

/** µs of CPU in a second. */
interface Turn {
  readonly bareUs: number
  readonly fusionUs: number
  readonly allUs: number
}

interface Usage {
  readonly us: number
  readonly count: number
}

const usage = async (reader: Helper): Promise<Usage> => {
  reader.tell('how many')
  const count = Number(await reader.line())
  const children = readFileSync(`/proc/${reader.pid}/task/${reader.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return { count, us: [reader.pid, ...children].reduce((sum, pid) => sum + processCpuUs(pid), 0) }
}
