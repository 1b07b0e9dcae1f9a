// Those who look at pictures under measurement, and what is used meanwhile.
import { builtProgram } from './build.ts'
import { type Lab, start } from './lab.ts'

/** How long they look. */
export const SECONDS = 8

const SETTLE_SECONDS = 1

/** Who watches what. path: of the pictures. jpeg: the file that each of them shall be, byte for byte. */
interface Audience {
  readonly port: string
  readonly path: string
  readonly count: number
  readonly jpeg?: string
}

/**
 * What an audience has seen. parts: pictures, of all. least_parts: of the viewer that got the fewest. foreign: pictures that were not those bytes.
 * p50_us, p99_us: from a picture's X-Timestamp to its last byte; -1 where it has none.
 */
export interface Seen {
  readonly parts: number
  readonly least_parts: number
  readonly foreign: number
  readonly p50_us: number
  readonly p99_us: number
}

/** What an audience has seen in SECONDS, and what was measured meanwhile: `measure` begins when all are served, and is given the way to wait for their end. */
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
