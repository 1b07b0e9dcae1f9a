// A made-up day of a device: what befalls it, what people do meanwhile, and what the guard made of it.
import { limitOf, NO_LIMIT, type StreamLimit } from '../../../machines/guard/levels.ts'
import { type Decision, decide, type GuardState, restore, START } from '../../../machines/guard/policy.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../../machines/guard/settings.ts'
import { DeviceModel, type ModelStream, type Trouble } from './device-model.ts'
import { randomOf } from './random.ts'

const TROUBLES_END_S = 2 * 3_600
/** Three hours: two with troubles, and one to recover. */
export const DAY_S = 3 * 3_600
const RESTORE_HOLD_S = 300

/** A moment of a day. */
export interface Moment {
  readonly second: number
  readonly streams: readonly ModelStream[]
  readonly limits: ReadonlyMap<string, StreamLimit>
  readonly decided: readonly Decision[]
  /** Those that are left alone since somebody restored them. */
  readonly held: ReadonlySet<string>
}

/** What became of a whole day. */
export interface DayEnd {
  readonly slowed_s: number
  readonly limits: ReadonlyMap<string, StreamLimit>
  readonly what: ReadonlySet<Trouble['what']>
}

/** Plays the day of that number. watch: called after each second. isGuarded: whether there is a guard. */
export const playDay = (seed: number, isGuarded: boolean, watch: (moment: Moment) => void = () => {}): DayEnd => {
  const random = randomOf(seed)
  const model = new DeviceModel(randomOf(seed + 1))
  const people = randomOf(seed + 2)
  const troubles = troublesOf(random)
  let state: GuardState = START
  let limits: ReadonlyMap<string, StreamLimit> = new Map()
  let slowed_s = 0
  for (let second = 0; second < DAY_S; second++) {
    const now = troubles.filter(({ from_s, to_s }) => from_s <= second && second < to_s)
    const starts = (what: Trouble['what']) => now.find((each) => each.what === what && each.from_s === second)
    const cameras = starts('cameras')
    if (cameras) model.plugIn(cameras.strength)
    if (troubles.some(({ what, to_s }) => what === 'cameras' && to_s === second)) model.unplug()
    if (model.live(limits, now)) slowed_s += 1
    let restored: readonly Decision[] = []
    if (second < TROUBLES_END_S && people.happens(1 / 300)) {
      const stream = people.pick(model.streams)
      const deed = people.whole(0, 3)
      if (deed === 0) stream.viewers = people.whole(0, 3)
      if (deed === 1) stream.is_recorded = true
      if (deed === 2) stream.priority = people.whole(1, 10)
      if (deed === 3 && isGuarded) {
        state = restore(state, { id: stream.id, now_ms: 1_000 * second, hold_ms: 1_000 * RESTORE_HOLD_S })
        restored = state.decided
      }
    }
    if (!isGuarded) continue
    state = decide(state, {
      now_ms: 1_000 * second,
      device: model.device(limits),
      streams: model.readings(limits),
      settings: DEFAULT_GUARD_SETTINGS,
    })
    limits = new Map(
      [...state.streams].map(([id, { level }]) => {
        const fps = model.streams.find((stream) => stream.id === id)?.fps
        return [id, limitOf(level, { fps, min_results_per_s: DEFAULT_GUARD_SETTINGS.min_results_per_s })]
      }),
    )
    const held = new Set([...state.streams].flatMap(([id, { held_until_ms }]) => (held_until_ms === null ? [] : id)))
    watch({ second, streams: model.streams, limits, decided: [...restored, ...state.decided], held })
  }
  return { slowed_s, limits, what: new Set(troubles.map(({ what }) => what)) }
}

const troublesOf = (random: ReturnType<typeof randomOf>): readonly Trouble[] => {
  const trouble = (what: Trouble['what'], least_s: number, most_s: number, strength: number): Trouble => {
    const from_s = random.whole(60, TROUBLES_END_S - most_s)
    return { what, from_s, to_s: from_s + random.whole(least_s, most_s), strength }
  }
  const all = [
    trouble('heat', 900, 3_600, random.between(15, 40)),
    trouble('leak', 300, 1_800, random.between(1, 12)),
    trouble('cameras', 600, 3_000, 8),
    trouble('slow-disk', 120, 1_800, random.between(25, 90)),
    trouble('busy', 60, 1_800, random.between(0.4, 1.6)),
    trouble('busy', 5, 60, random.between(0.4, 3)),
  ]
  return all.filter(() => random.happens(0.6))
}

/** Without any. */
export const noLimit = (limit: StreamLimit | undefined): boolean => {
  const { skip, stops_recording, is_paused, preview_fps, preview_width_px } = limit ?? NO_LIMIT
  return skip === 0 && !stops_recording && !is_paused && preview_fps === null && preview_width_px === null
}
