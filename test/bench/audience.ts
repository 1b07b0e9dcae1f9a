// Those who look at pictures under measurement, and what is used meanwhile.
import { builtProgram } from './build.ts'
import { type Lab, start } from './lab.ts'

/** How long they look. */
export const SECONDS = 8

const SETTLE_SECONDS = 1

/** Who watches what. path: of the pictures. */
interface Audience {
  readonly port: string
  readonly path: string
  readonly count: number
}

/** What an audience has seen in SECONDS, and what was measured meanwhile: `measure` begins when all are served, and is given the way to wait for their end. */
export const seenBy = async <T>(
  lab: Lab,
  { port, path, count }: Audience,
  measure: (wait: () => Promise<unknown>) => Promise<T>,
): Promise<{ readonly measured: T; readonly parts: number; readonly least_parts: number }> => {
  const words = [port, path, String(count), String(SECONDS), String(SETTLE_SECONDS)]
  const readers = start(lab, await builtProgram('read'), words)
  await readers.line()
  let line = ''
  const measured = await measure(async () => {
    line = await readers.line()
  })
  await readers.ended
  return { measured, ...(JSON.parse(line) as { parts: number; least_parts: number }) }
}

/** What something that grows has grown in a second while one waits. */
export const perSecond = async (read: () => number, wait: () => Promise<unknown>): Promise<number> => {
  const [value, startMs] = [read(), performance.now()]
  await wait()
  return (read() - value) / ((performance.now() - startMs) / 1000)
}
