// Reads pages of logs: it looks through lines until there are enough that fit, or it has looked long enough.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import { filterOf, type LogPlace } from '../../machines/logs/query.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { LogSource, LogWalkEnd } from '../../native/logs/port.ts'
import type { LogPageFound, LogPageOrder, LogReader } from './tokens.ts'

/** What is read, and how long one looks. */
export interface LogReaderParts {
  readonly sources: Readonly<Record<LogSourceId, LogSource>>
  readonly clock: Pick<Clock, 'monotonicUs'>
}

const MAX_LOOKED_AT = 200_000 // more than our own log has
const MAX_LOOK_MS = 3_000
const LOOK_AT_CLOCK_EVERY = 256

export const logReader = ({ sources, clock }: LogReaderParts): LogReader => ({
  look: (source) => sources[source].look(),
  page: (order, signal) =>
    Effect.runPromise(
      Effect.catch(readPage(sources[order.source], order, clock), (fault: Fault) => Effect.succeed(fault)),
      signal && { signal },
    ),
  follow: (source, line, ended) => sources[source].follow({ line, ended }),
})

const readPage = (
  source: LogSource,
  { place, filter, limit }: LogPageOrder,
  clock: LogReaderParts['clock'],
): Effect.Effect<LogPageFound, Fault> =>
  Effect.suspend(() => {
    const fits = filterOf(filter)
    const found: LogLine[] = []
    let [first, last]: (string | undefined)[] = []
    let lookedAt = 0
    const untilMs = monotonicMs(clock) + MAX_LOOK_MS
    const told = (line: LogLine): boolean => {
      first ??= line.cursor
      last = line.cursor
      lookedAt += 1
      if (fits(line)) found.push(line)
      if (found.length >= limit || lookedAt >= MAX_LOOKED_AT) return false
      return lookedAt % LOOK_AT_CLOCK_EVERY !== 0 || monotonicMs(clock) < untilMs
    }
    return Effect.map(source.walk({ place, filter }, told), (end) => pageOf(place, end, { found, first, last }))
  })

interface Seen {
  readonly found: readonly LogLine[]
  /** Cursors of what was looked at. */
  readonly first: string | undefined
  readonly last: string | undefined
}

const pageOf = (
  { cursor, way }: LogPlace,
  { isGone, isEnd }: LogWalkEnd,
  { found, first, last }: Seen,
): LogPageFound => {
  const placed = (at: string | undefined, way: LogPlace['way']) => (at === undefined ? null : { cursor: at, way })
  if (way === 'newer')
    return {
      lines: found,
      older: placed(first ?? cursor, 'older'),
      newer: placed(last ?? cursor, 'newer'),
      isGone,
      isEnd,
    }
  const older = isEnd ? null : placed(last ?? cursor, 'older')
  return { lines: found.toReversed(), older, newer: placed(first ?? cursor, 'newer'), isGone, isEnd }
}
