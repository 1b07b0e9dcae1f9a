// Lamps: the outputs of this device that can shine, found in the system and held by a process of their own, which plays
// frames by the monotonic clock and puts all off when nobody tells it anything any more.
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** How an output is driven. */
export type OutputKind = 'led' | 'multicolour_led' | 'gpio_line' | 'pwm' | 'strip'

/** What was found in the system; nothing was touched to find it. */
export interface FoundOutput {
  /** The same after a restart of the system: `led:ACT`, `gpio:lights/3`, `pwm:1f00098000.pwm/2`, `spi:0.0`. */
  readonly id: string
  readonly kind: OutputKind
  /** What the system calls it. */
  readonly name: string
  /** Of one pixel: 1 white, 3 red, green, blue, 4 with white; null: a strip, of which only its setup can tell. */
  readonly channels: 1 | 3 | 4 | null
  /** How many brightnesses it tells apart; 2: on and off. */
  readonly levels: number
  /** A sentence for people that speaks against its use (a trigger has it, no right to write); null: nothing does. */
  readonly detail: string | null
}

/** What there is, and where it was looked for. */
export interface FoundOutputs {
  readonly outputs: readonly FoundOutput[]
  /** Sentences for people; each names a place and what was there. */
  readonly looked_for: readonly string[]
}

/** An output as it shall be driven. */
export interface OutputSetup {
  readonly id: string
  /** 1 but for a strip. */
  readonly pixels: number
  readonly channels: 1 | 3 | 4
  /** In which order a strip takes its channels, such as `GRB`, `RGB`, `GRBW`; without meaning elsewhere. */
  readonly order: string
  /** 0 to 255, which no channel exceeds whatever a frame says: the process that holds the lamps sees to it. */
  readonly max_level: number
  /** Whether it shines when its line is low; for lines and PWM. */
  readonly active_low?: boolean
}

/** A picture of all lamps and its moment. */
export interface LampFrame {
  /** Microseconds of CLOCK_MONOTONIC; what is past is shown at once. */
  readonly at_us: number
  /** One byte for each channel, in the order of the setups, their pixels, and red, green, blue, white. */
  readonly bytes: Uint8Array
}

/** Outputs that are held. */
export interface LitOutputs {
  /**
   * Frames, each at its moment, in ascending order; the last one stays for hold_ms (1000 when nothing is said, at most
   * 60000), then all is off. What was planned for the moment of the first one or later is forgotten. At most
   * MAX_PLANNED frames wait. What is not as long as the setups want is dropped, and `ended` is told.
   */
  readonly play: (frames: readonly LampFrame[], hold_ms?: number) => void
  /** Off, then let go; resolves when that is done. */
  readonly close: () => Promise<void>
  /** Of a fake: what shines now, as in a frame. */
  readonly seen?: () => Uint8Array
}

/** What is told of outputs that are held. */
export interface LampNews {
  /** All of it is gone, and dark as far as that can be; open again. Told at most once, and not after `close`. */
  readonly ended: (fault: Fault) => void
  /** One output cannot be written, or again; the others go on. detail: why, for people; null: it works again. */
  readonly output?: (id: string, detail: string | null) => void
}

/** The outputs of a device that can shine. */
export interface Lights {
  /** What there is now. Fails where it cannot be looked at all. */
  readonly find: () => Promise<FoundOutputs | Fault>
  /**
   * Takes outputs and puts them off. Fails with `device.failed` when none of them can be had; of those that cannot be
   * had while others can, `news.output` is told. A chip that is not there now is not waited for: open again.
   */
  readonly open: (setups: readonly OutputSetup[], news: LampNews) => Promise<LitOutputs | Fault>
}

/** How many frames may wait for their moment. */
export const MAX_PLANNED = 256

/** How long the last frame stays when nothing is said. */
export const DEFAULT_HOLD_MS = 1000

/** How long a frame may stay at most. */
export const MAX_HOLD_MS = 60_000

/** The lamps of this device. */
export const LIGHTS = token<Lights>('lights')
