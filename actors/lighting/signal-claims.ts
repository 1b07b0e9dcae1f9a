// What the configuration has shown when nobody wants anything, and what the device shows of itself, as claims.
import { type Claim, PRIORITY } from '../../machines/lighting/claims.ts'
import { libraryIn } from '../../machines/lighting/collections.ts'
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { pictureOf, type Show } from '../../machines/lighting/show.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import type { Directory } from '../directory.ts'
import { SIGNAL_WORDS, type SignalName, type SignalParts, signalsNow } from './device-signals.ts'

/** How often it is looked what the device has to show of itself: nobody waits for a light that says so. */
const LOOK_MS = 1_000
const LOOK_FOR_TAGS_MS = 250 // who aims a camera by hand does

/** What they work with. */
export interface SignalClaimsParts extends SignalParts {
  readonly directory: SignalParts['directory'] & Pick<Directory, 'settings'>
  readonly config: () => LightingConfig
  readonly made: (claim: Claim) => void
  readonly ended: (owner: string) => void
}

type Why = Pick<Claim, 'owner' | 'kind' | 'priority' | 'why'>

const IDLE: Why = { owner: 'idle', kind: 'idle', priority: PRIORITY.idle, why: 'Nobody wants anything else.' }

export class SignalClaims {
  readonly #parts: SignalClaimsParts
  /** The picture of each that is claimed, as JSON, by owner. */
  readonly #shown = new Map<string, string>()

  constructor(parts: SignalClaimsParts) {
    this.#parts = parts
  }

  /** Claims what is to be shown now. Returns after how many ms to look again; undefined: nothing will ever be shown. */
  look(): number | undefined {
    const { idle, signals } = this.#parts.config()
    const now = signalsNow(this.#parts)
    this.#show(IDLE, idle.command === 'off' ? null : idle)
    for (const name of Object.keys(SIGNAL_WORDS) as SignalName[]) {
      const why: Why = { owner: `device:${name}`, kind: 'device', priority: PRIORITY[name], why: SIGNAL_WORDS[name] }
      this.#show(why, now[name] ? signals[name] : null)
    }
    if (signals.target_seen) return LOOK_FOR_TAGS_MS
    return Object.values(signals).some((signal) => signal !== null) ? LOOK_MS : undefined
  }

  /** Tells once of each thing to show. */
  #show(why: Why, wanted: Show | null): void {
    const { directory, config, made, ended } = this.#parts
    const picture = wanted && pictureOf(wanted, libraryIn(directory.settings, config().blink))
    const known = this.#shown.get(why.owner)
    if (!wanted || !picture || 'pointer' in picture) {
      this.#shown.delete(why.owner)
      if (known !== undefined) ended(why.owner)
      return
    }
    const text = JSON.stringify(picture)
    if (known === text) return
    this.#shown.set(why.owner, text)
    const since_ms = monotonicMs(directory.clock)
    made({ ...why, group: null, picture, shows: wanted.command, since_ms, until_ms: null })
  }
}
