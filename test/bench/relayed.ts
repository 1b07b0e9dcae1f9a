// A relay (relay.ts) beside what is measured: what any process of Node would have needed at that time.
import { type Lab, start } from './lab.ts'

const RELAY = new URL('relay.ts', import.meta.url).pathname

/** One round of ten seconds: main-thread CPU of a message, µs, and its time from being sent until passed on, µs. */
export interface Relayed {
  readonly cpu_us: number
  readonly p50_us: number
  readonly p99_us: number
}

/** Starts a relay. rounds: ends it and gives the newest so many of its rounds, those of its first twenty seconds never. */
export const startRelay = (lab: Lab): { readonly rounds: (count: number) => Promise<readonly Relayed[]> } => {
  const relay = start(lab, process.execPath, [RELAY])
  const all = read(relay.line)
  return {
    rounds: async (count) => {
      await relay.stop()
      return (await all).slice(1).slice(-count)
    },
  }
}

const read = async (line: () => Promise<string>): Promise<Relayed[]> => {
  const rounds: Relayed[] = []
  for (;;) {
    const text = await line().catch(() => undefined)
    if (text === undefined) return rounds
    rounds.push(JSON.parse(text) as Relayed)
  }
}
