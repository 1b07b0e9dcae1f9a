// Loaded into the daemon before its own code (`node --import`): notes when the socket to the robot had taken the table
// of a stream, and that of localization, and of which result. On exit it writes all of it to the file that
// VEDETTE_BENCH_PROBE names.
import { writeFileSync } from 'node:fs'
import { RESULT_HEADER } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import { LOCALIZATION_PREFIX } from '../../../machines/own-table/localization-topics.ts'
import { OWN_ROOT } from '../../../machines/own-table/topics.ts'
import { ClientSession } from '../../../native/nt4/session/session.ts'

/** What was written. */
export interface Written {
  readonly table: 'stream' | 'localization'
  /** When, CLOCK_MONOTONIC, microseconds. */
  readonly atUs: number
  /** The newest result then: which one, when it was exposed, and when its detection had ended. */
  readonly result: number
  readonly capturedUs: number
  readonly finishedUs: number
  /** It was written as soon as that result came. */
  readonly isAtOnce: boolean
}

const CAPTURED = RESULT_HEADER.indexOf('captured_us')
const FINISHED = RESULT_HEADER.indexOf('finished_us')
const written: Written[] = []
let [result, capturedUs, finishedUs, isArriving] = [0, Number.NaN, Number.NaN, false]
const monotonicUs = (): number => Number(process.hrtime.bigint()) / 1000 // not the service's own: it is under test too

const { set } = Latest.prototype
Latest.prototype.set = function (value: unknown) {
  const { data } = (value ?? {}) as { data?: unknown }
  if (!(data instanceof Float64Array)) return set.call(this, value)
  result += 1
  capturedUs = data[CAPTURED] as number
  finishedUs = data[FINISHED] as number
  isArriving = true
  set.call(this, value)
  isArriving = false
}

const topics = new Map<number, string>()
const { publish, write } = ClientSession.prototype
ClientSession.prototype.publish = function (...args) {
  const handle = publish.apply(this, args)
  topics.set(handle, args[0])
  return handle
}

// It has been handed to the kernel on return: Node tries that before it queues anything.
ClientSession.prototype.write = function (...args) {
  const isWritten = write.apply(this, args)
  const atUs = monotonicUs()
  const names = args[0].map(([handle]) => topics.get(handle) ?? '')
  const isPose = names.includes(`${LOCALIZATION_PREFIX}robot_pose`)
  const isStream = names.some((name) => name.startsWith(OWN_ROOT) && !name.startsWith(LOCALIZATION_PREFIX))
  const table = isPose ? 'localization' : isStream ? 'stream' : undefined
  if (table && isWritten) written.push({ table, atUs, result, capturedUs, finishedUs, isAtOnce: isArriving })
  return isWritten
}

process.on('exit', () => writeFileSync(process.env.VEDETTE_BENCH_PROBE as string, JSON.stringify(written)))
