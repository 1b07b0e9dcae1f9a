// Loaded into the daemon before its own code (`node --import`): notes of each result whose picture it is, when that was
// taken, and by which plan. On exit it writes all of them to the file that VEDETTE_BENCH_PROBE names.
import { writeFileSync } from 'node:fs'
import { RESULT_HEADER } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'

/** Times are CLOCK_MONOTONIC. */
export interface NotedResult {
  readonly seq: number
  readonly captured_us: number
  readonly plan: number
}

const [SEQ, CAPTURED, PLAN] = (['seq', 'captured_us', 'plan'] as const).map((name) => RESULT_HEADER.indexOf(name)) as [
  number,
  number,
  number,
]
const noted: NotedResult[] = []

const { set } = Latest.prototype
Latest.prototype.set = function (value: unknown) {
  const { data } = (value ?? {}) as { data?: unknown }
  if (data instanceof Float64Array)
    noted.push({ seq: data[SEQ] as number, captured_us: data[CAPTURED] as number, plan: data[PLAN] as number })
  set.call(this, value)
}

process.on('exit', () => writeFileSync(process.env.VEDETTE_BENCH_PROBE as string, JSON.stringify(noted)))
