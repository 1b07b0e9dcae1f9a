// Loaded into the daemon before its own code (`node --import`): notes for each frame how long after the end of its
// detection the socket of the NT4 session had taken what is published of it. On exit it writes all of them to the file
// that VEDETTE_BENCH_PROBE names.
import { writeFileSync } from 'node:fs'
import { RESULT_HEADER } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import { ClientSession } from '../../../native/nt4/session/session.ts'

/** A result that was published. */
export interface Published {
  /** When, CLOCK_MONOTONIC. */
  readonly atUs: number
  readonly us: number
  /** It was not written as soon as it came, but had to keep its distance to the write before. */
  readonly held: boolean
}

const FINISHED = RESULT_HEADER.indexOf('finished_us')
const published: Published[] = []
let finishedUs: number | undefined
let isArriving = false
const monotonicUs = (): number => Number(process.hrtime.bigint()) / 1000 // not the service's own: it is under test too

const { set } = Latest.prototype
Latest.prototype.set = function (value: unknown) {
  const { data } = (value ?? {}) as { data?: unknown }
  if (!(data instanceof Float64Array)) return set.call(this, value)
  finishedUs = data[FINISHED] as number
  isArriving = true
  set.call(this, value)
  isArriving = false
}

// A write that follows a result is that of its frame. It has been handed to the kernel on return: Node tries that
// before it queues anything.
const { write } = ClientSession.prototype
ClientSession.prototype.write = function (...args) {
  const isWritten = write.apply(this, args)
  const atUs = monotonicUs()
  if (finishedUs !== undefined && isWritten) published.push({ atUs, us: atUs - finishedUs, held: !isArriving })
  finishedUs = undefined
  return isWritten
}

process.on('exit', () => writeFileSync(process.env.VEDETTE_BENCH_PROBE as string, JSON.stringify(published)))
