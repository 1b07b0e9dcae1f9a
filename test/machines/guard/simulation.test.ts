// The resource guard on days that are made up: heat, programs that leak memory, eight cameras plugged in at once, a
// disk that is slow, other programs that compute. `npm test` plays some of them, `npm run test:long` two hundred.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { StreamLimit } from '../../../machines/guard/levels.ts'
import { DAY_S, type Moment, noLimit, playDay } from '../../support/guard/day.ts'
import { shortOrLong } from '../../support/long.ts'

const DAYS = shortOrLong(12, 200)
const STEADY_S = 10
const MOST_SLOWED = shortOrLong(1, 0.5) // of the time without a guard; on a few days there may be hardly any heat

/** `GUARD_SEED=n` plays the days of an earlier run again. */
const seed = Number(process.env.GUARD_SEED ?? randomInt(1_000_000_000))

test(`on ${DAYS} made-up days nothing flaps, the first stream keeps what it must have, and all comes back`, (t) => {
  t.diagnostic(`GUARD_SEED=${seed}`)
  const sums = { cuts: 0, slowed_s: 0, unguarded_s: 0, days: new Map<string, number>() }
  for (let day = 0; day < DAYS; day++) {
    const of = seed + 10 * day
    const checks = new Checks(`day ${day} of GUARD_SEED=${seed}`)

    const { slowed_s, limits, what } = playDay(of, true, (moment) => checks.look(moment))

    const cut = [...limits].filter(([, limit]) => !noLimit(limit))
    assert.deepEqual(cut, [], `${checks.name}: not all was given back in the end`)
    sums.cuts += checks.cuts
    sums.slowed_s += slowed_s
    sums.unguarded_s += playDay(of, false).slowed_s
    for (const each of what) sums.days.set(each, 1 + (sums.days.get(each) ?? 0))
  }

  t.diagnostic(`${sums.cuts} cuts; slowed down for ${sums.slowed_s} s, without a guard ${sums.unguarded_s} s`)
  t.diagnostic([...sums.days].map(([what, days]) => `${what}: ${days} days`).join(', '))
  assert.ok(sums.cuts > DAYS, `only ${sums.cuts} cuts: these days tell nothing`)
  const most = MOST_SLOWED * sums.unguarded_s + DAYS // a day that nothing can mend may end a second later
  assert.ok(sums.slowed_s <= most, `slowed for ${sums.slowed_s} of ${sums.unguarded_s} s`)
})

/** What must hold in each second of a day, found without asking the guard. */
class Checks {
  readonly name: string
  cuts = 0
  readonly #before = new Map<string, string>()
  readonly #changedAt = new Map<string, number>()
  #wrongFor = 0

  constructor(name: string) {
    this.name = name
  }

  look(moment: Moment): void {
    this.#nothingFlaps(moment)
    this.#firstHasWhatItMust(moment)
    this.#previewsGoFirst(moment)
    this.cuts += moment.decided.filter(({ what }) => what === 'cut').length
  }

  #nothingFlaps({ second, limits, decided }: Moment): void {
    for (const [id, limit] of limits) {
      const now = JSON.stringify(limit)
      const before = this.#before.get(id)
      this.#before.set(id, now)
      const isByHand = decided.some(({ stream_id, what }) => stream_id === id && what === 'restored')
      if (before === undefined ? noLimit(limit) : before === now) continue
      const since = second - (this.#changedAt.get(id) ?? -DAY_S)
      this.#changedAt.set(id, second)
      if (!isByHand) assert.ok(since >= STEADY_S, `${this.at(second)} ${id} was changed ${since} s after the last time`)
    }
    for (const id of this.#before.keys()) if (!limits.has(id)) this.#forget(id)
  }

  #forget(id: string): void {
    this.#before.delete(id)
    this.#changedAt.delete(id)
  }

  /** Who comes first may have changed just now: then the guard has as long as a stream stays as it is. */
  #firstHasWhatItMust({ second, streams, limits, held }: Moment): void {
    const [first, ...lower] = streams.toSorted(
      (one, other) => other.priority - one.priority || Number(other.is_published) - Number(one.is_published),
    )
    if (!first) return
    const limitOf = (id: string) => limits.get(id) as StreamLimit
    const isThereLess = lower.some(({ id }) => !held.has(id) && !limitOf(id).is_paused)
    const { is_paused, skip } = limitOf(first.id)
    const left = first.fps / (skip + 1)
    assert.ok(skip === 0 || left >= 10, `${this.at(second)} the first has ${left} results a second left`)
    const isWrong = is_paused || (skip > 0 && isThereLess)
    this.#wrongFor = isWrong ? this.#wrongFor + 1 : 0
    assert.ok(this.#wrongFor <= STEADY_S, `${this.at(second)} the first gives way though others could`)
  }

  #previewsGoFirst({ second, streams, limits, decided, held }: Moment): void {
    const isForWork = decided.some(
      ({ what, why, before, after }) =>
        what === 'cut' &&
        why !== null &&
        ['heat', 'throttling', 'processor'].includes(why.cause) &&
        (after.pipeline_rate > before.pipeline_rate || after.pause > before.pause) &&
        after.preview_rate === before.preview_rate, // not one that has just come
    )
    if (!isForWork) return
    for (const { id, viewers } of streams) {
      const { is_paused, preview_fps, preview_width_px } = limits.get(id) as StreamLimit
      if (viewers === 0 || is_paused || held.has(id)) continue
      const said = `${this.at(second)} something else than previews was cut while ${id} is watched in full`
      assert.deepEqual([preview_fps, preview_width_px], [5, 320], said)
    }
  }

  at(second: number): string {
    return `${this.name}, second ${second}:`
  }
}
