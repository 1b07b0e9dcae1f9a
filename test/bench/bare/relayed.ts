// A relay (relay.ts) beside what is measured: what any process of Node would have needed at that time.
import { type Lab, start } from '../lab/lab.ts'

const RELAY = new URL('relay.ts', import.meta.url).pathname

/** The bytes of a frame: what comes from the engine, and what goes to the robot. */
export interface FrameBytes {
  readonly result: number
  readonly topics: number
}

/** One round: main-thread CPU of a message, µs, and the time of each from being sent until passed on, µs. */
export interface Relayed {
  readonly cpu_us: number
  readonly us: readonly number[]
}

/** A relay at work. */
export interface Relay {
  readonly pid: number
  /** What it did since the last call. */
  readonly round: () => Promise<Relayed>
  /** What follows has other sizes; begins a round. */
  readonly resize: (bytes: FrameBytes) => Promise<void>
  readonly stop: () => Promise<void>
}

/** pace: of how many streams, and how many frames a second of each; default: one, 30. */
export const startRelay = (
  lab: Lab,
  { result, topics }: FrameBytes,
  { fps, streams }: { readonly fps: number; readonly streams: number } = { fps: 30, streams: 1 },
): Relay => {
  const relay = start(lab, process.execPath, [RELAY, ...[result, topics, fps, streams].map(String)])
  const round = async (line = '') => {
    relay.tell(line)
    return JSON.parse(await relay.line()) as Relayed
  }
  return {
    pid: relay.pid,
    round: () => round(),
    resize: async (bytes) => {
      await round(`${bytes.result} ${bytes.topics}`)
    },
    stop: relay.stop,
  }
}
