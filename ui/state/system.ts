// The device around the service: what it runs, how it is fed, what is in it; and how it does, second by second.
import { useEffect, useState } from 'react'
import { api, ask, type Documents, type Problem } from '../api/client.ts'
import { browserTimeOf } from '../api/device-clock.ts'
import { createLive } from './live.ts'

/** What the device runs. */
export const release = createLive<Documents['SystemRelease']>({
  read: () => ask(api.GET('/v1/device/os')),
  heed: () => undefined,
})

/** How it is fed. Where nothing tells of that it is not to be asked for. */
export const power = createLive<Documents['PowerStatus']>({
  read: () => ask(api.GET('/v1/device/power')),
  heed: ({ kind }) => (kind === 'power_changed' || kind === 'throttling_changed' ? 'stale' : undefined),
})

/** Its fans. Where there are none they are not to be asked for. */
export const fans = createLive<Documents['FanList']>({
  read: () => ask(api.GET('/v1/peripherals/fan')),
  heed: () => undefined,
})

/** What is in it and on it. */
export const peripherals = createLive<Documents['Peripherals']>({
  read: () => ask(api.GET('/v1/peripherals')),
  heed: () => undefined,
})

export type Metrics = Documents['DeviceMetrics']
type History = NonNullable<Metrics['history']>

/** The figures that are plotted, of one moment. */
export type Moment = { readonly [Name in Exclude<keyof History, 'at_ms'>]: number | null } & { readonly atMs: number }

const WINDOW_S = 600
const EVERY_MS = 1_000
const FIGURES_EVERY = 10 // of what is read seldom: rails, fans

const momentsOf = ({ at_ms, ...columns }: History): readonly Moment[] =>
  at_ms.map((atMs, n) => ({
    ...(Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[n] ?? null])) as Moment),
    atMs: browserTimeOf(atMs),
  }))

/** What is known of how the device does. */
export interface Followed {
  readonly metrics: Metrics | undefined
  /** Of the last ten minutes, the oldest first. */
  readonly moments: readonly Moment[]
  readonly problem: Problem | undefined
}

/**
 * Follows how the device does as long as it is shown and the page is seen: the last ten minutes at once, then one
 * moment each second. These figures are others each second, so they are asked for and no events are made of them.
 */
export const useMetrics = (): Followed => {
  const [followed, setFollowed] = useState<Followed>({ metrics: undefined, moments: [], problem: undefined })
  useEffect(() => {
    let isOver = false
    let isReading = false
    let turns = 0
    let sinceMs = Number.NEGATIVE_INFINITY
    const read = async () => {
      if (isReading || document.hidden) return
      isReading = true
      const gapS = Math.ceil((Date.now() - sinceMs) / 1_000) + 1
      const window_s = Math.min(WINDOW_S, gapS)
      const answer = await ask(api.GET('/v1/device/metrics', { params: { query: { window_s } } }))
      isReading = false
      if (isOver) return
      if (!answer.ok) return setFollowed((before) => ({ ...before, problem: answer.problem }))
      const metrics = answer.value as Metrics // the other form is text, which was not asked for
      sinceMs = Date.now()
      setFollowed(({ moments }) => {
        const newest = moments.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY
        const further = metrics.history ? momentsOf(metrics.history).filter(({ atMs }) => atMs > newest + 500) : []
        const oldest = sinceMs - WINDOW_S * 1_000
        return {
          metrics,
          moments: [...moments.filter(({ atMs }) => atMs > oldest), ...further],
          problem: undefined,
        }
      })
      turns += 1
      if (turns % FIGURES_EVERY !== 0) return
      power.refresh()
      fans.refresh()
    }
    void read()
    const timer = setInterval(read, EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [])
  return followed
}
