// Those who look at pictures under measurement, and what is used meanwhile.
import { builtProgram } from '../bare/build.ts'
import { type Lab, start } from '../lab/lab.ts'

/** How long they look. */
export const SECONDS = 8

const SETTLE_SECONDS = 1

/** Who watches what. */
interface Audience {
  readonly port: string
  /** Of the pictures. */
  readonly path: string
  readonly count: number
  /** The file that each of them shall be, byte for byte. */
  readonly jpeg?: string
}

/** What an audience has seen. */
export interface Seen {
  /** Pictures, of all. */
  readonly parts: number
  /** Of the viewer that got the fewest. */
  readonly min_parts: number
  /** Pictures that were not those bytes. */
  readonly foreign: number
  /** From a picture's X-Timestamp to its last byte; -1 where it has none. */
  readonly p50_us: number
  /** From a picture's X-Timestamp to its last byte; -1 where it has none. */
  readonly p99_us: number
}

/**
 * What an audience has seen in SECONDS, and what was measured meanwhile: `measure` begins when all are served, and is
 * given the way to wait for their end.
 */
export const seenBy = async <T>(
  lab: Lab,
  { port, path, count, jpeg }: Audience,
  measure: (wait: () => Promise<unknown>) => Promise<T>,
): Promise<Seen & { readonly measured: T }> => {
  const words = [port, path, String(count), String(SECONDS), String(SETTLE_SECONDS), ...(jpeg ? [jpeg] : [])]
  const readers = start(lab, await builtProgram('read'), words)
  await readers.line()
  const seen = readers.line()
  const measured = await measure(() => seen)
  await readers.ended
  return { measured, ...(JSON.parse(await seen) as Seen) }
}

/** What something that grows has grown in a second while one waits. */
export const perSecond = async (read: () => number, wait: () => Promise<unknown>): Promise<number> => {
  const [value, startMs] = [read(), performance.now()]
  await wait()
  return (read() - value) / ((performance.now() - startMs) / 1000)
}
