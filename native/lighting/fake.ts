// Lamps that nobody has to buy: what they would show is computed when it is asked for.
import type { Fault } from '../../machines/errors/fault.ts'
import { monotonicUs } from '../clock/system.ts'
import { bytesOf } from './orders.ts'
import {
  DEFAULT_HOLD_MS,
  type FoundOutput,
  type LampFrame,
  type LampNews,
  type Lights,
  type LitOutputs,
  type OutputSetup,
} from './port.ts'

/** What a device that is made up has. */
export const FAKE_OUTPUTS: readonly FoundOutput[] = [
  { id: 'fake:ring', kind: 'strip', name: 'ring', channels: null, levels: 256, detail: null },
  { id: 'fake:left', kind: 'led', name: 'left', channels: 1, levels: 256, detail: null },
  { id: 'fake:right', kind: 'led', name: 'right', channels: 1, levels: 256, detail: null },
  { id: 'fake:status', kind: 'multicolour_led', name: 'status', channels: 3, levels: 256, detail: null },
]

/** What can be other than usual, in tests. */
interface FakeLightsParts {
  readonly outputs?: readonly FoundOutput[]
  /** Microseconds of CLOCK_MONOTONIC. */
  readonly nowUs?: () => number
}

export class FakeLights implements Lights {
  /** What there is. */
  outputs: readonly FoundOutput[]
  /** Why nothing can be found or taken, while it is set. */
  fault: Fault | null = null
  /** What is held now; null: nothing is. */
  held: FakeLitOutputs | null = null
  readonly #nowUs: () => number

  constructor({ outputs = FAKE_OUTPUTS, nowUs = monotonicUs }: FakeLightsParts = {}) {
    this.outputs = outputs
    this.#nowUs = nowUs
  }

  readonly find = async () =>
    this.fault ?? {
      outputs: this.outputs,
      looked_for: this.outputs.length > 0 ? ['the lamps are made up'] : ['there are no lamps that are made up'],
    }

  readonly open = async (setups: readonly OutputSetup[], news: LampNews): Promise<LitOutputs | Fault> => {
    const known = setups.filter(({ id }) => this.outputs.some((each) => each.id === id))
    if (this.fault) return this.fault
    if (known.length === 0) return { code: 'device.failed', detail: 'none of the outputs is there' }
    for (const { id } of setups)
      if (!known.some((each) => each.id === id)) news.output?.(id, 'it is not there; there are only made-up lamps')
    const held = new FakeLitOutputs(setups, news, this.#nowUs, () => {
      if (this.held === held) this.held = null
    })
    this.held = held
    return held
  }
}

/** Outputs of a fake that are held. */
export class FakeLitOutputs implements LitOutputs {
  readonly setups: readonly OutputSetup[]
  readonly news: LampNews
  readonly #nowUs: () => number
  readonly #letGo: () => void
  readonly #limits: Uint8Array
  #frames: readonly LampFrame[] = []
  #off_us = 0

  constructor(setups: readonly OutputSetup[], news: LampNews, nowUs: () => number, letGo: () => void) {
    this.setups = setups
    this.news = news
    this.#nowUs = nowUs
    this.#letGo = letGo
    this.#limits = Uint8Array.from(
      setups.flatMap((each) => Array.from({ length: bytesOf(each) }, () => each.max_level)),
    )
  }

  readonly play = (frames: readonly LampFrame[], hold_ms = DEFAULT_HOLD_MS): void => {
    const [first, last] = [frames[0], frames.at(-1)]
    if (!first || !last) return
    const now_us = this.#nowUs()
    const past = now_us < this.#off_us ? this.#frames.findLast(({ at_us }) => at_us <= now_us) : undefined
    const kept = this.#frames.filter((each) => each === past || (each.at_us > now_us && each.at_us < first.at_us))
    this.#frames = [...kept, ...frames]
    this.#off_us = Math.max(now_us, last.at_us) + hold_ms * 1000
  }

  readonly seen = (): Uint8Array => {
    const now_us = this.#nowUs()
    const shown = now_us < this.#off_us ? this.#frames.findLast(({ at_us }) => at_us <= now_us) : undefined
    return this.#limits.map((limit, at) => Math.min(limit, shown?.bytes[at] ?? 0))
  }

  readonly close = async (): Promise<void> => {
    this.#frames = []
    this.#off_us = 0
    this.#letGo()
  }

  /** Ends as a process does that is killed. */
  readonly end = (fault: Fault): void => {
    void this.close()
    this.news.ended(fault)
  }
}
