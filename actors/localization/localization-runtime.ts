// What localization is at run time, for as long as the service runs: what was solved last, and how it stands. It
// outlives every incarnation of its actor, which writes it.
import { Latest } from '../../machines/latest.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { RejectedTags, type TagCounts } from '../../machines/localization/rejected-tags.ts'
import type { SolvedRound } from '../../machines/localization/round-solver.ts'
import type { Solved } from '../../machines/localization/solution.ts'
import type { UsedMap, UsedStream } from '../../machines/localization/solve-document.ts'
import type { LocalizationState } from '../../machines/localization/state.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { Localization } from './tokens.ts'

/** Localization, for those who look and for the actor that does it. */
export class LocalizationRuntime implements Localization {
  readonly solved: Latest<Solved | undefined>
  readonly rounds: Latest<SolvedRound>
  readonly rejectedTags = new RejectedTags()
  readonly #nowUs: () => number
  readonly #changed: Listeners<void>
  #state: LocalizationState = 'off'
  #uses: readonly UsedStream[] = []
  #map: UsedMap | null = null

  /** nowUs: CLOCK_MONOTONIC. */
  constructor(nowUs: () => number, onBug?: OnBug) {
    this.#nowUs = nowUs
    this.solved = new Latest(onBug)
    this.rounds = new Latest(onBug)
    this.#changed = new Listeners(onBug)
  }

  readonly state = (): LocalizationState => this.#state

  /** One whose tags were left out of the last round since nobody knows when they were seen is not used, either. */
  readonly streams = (): readonly UsedStream[] => {
    const tags = this.solved.value?.tags ?? []
    const isOfUnknownTime = (id: string) =>
      tags.some(({ streamId, reason }) => streamId === id && reason === 'clock_unknown')
    return this.#uses.map((use) =>
      use.used && isOfUnknownTime(use.streamId)
        ? { streamId: use.streamId, used: false, reason: 'clock_unknown' as const }
        : use,
    )
  }

  readonly map = (): UsedMap | null => this.#map

  readonly rejected = (): TagCounts => this.rejectedTags.counts(this.#nowUs())

  readonly onChanged = (listener: () => void): (() => void) => this.#changed.add(listener)

  /** Its machine is in another state, or there is none: then it is off. */
  setState(state: LocalizationState): void {
    if (state === this.#state) return
    this.#state = state
    this.#changed.notify()
  }

  /** Other streams are used, for other reasons, or by another map. */
  setUses(uses: readonly UsedStream[], map: UsedMap | null): void {
    if (isSameJson(uses, this.#uses) && isSameJson(map, this.#map)) return
    this.#uses = uses
    this.#map = map
    this.#changed.notify()
  }

  /** What was solved says nothing any more. */
  clear(): void {
    if (this.solved.value) this.solved.set(undefined)
  }
}
