// The device's clocks.
import { uptime } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { type ClockReading, WallClock } from '../../machines/clock/wall-clock.ts'
import { Listeners } from '../../machines/listeners.ts'
import type { Clock } from './port.ts'

/** Unix time, ms; follows the wall clock when that is set. */
export const nowMs = (): number => Date.now()

const microseconds = (): number => Number(process.hrtime.bigint()) / 1000

/**
 * Where performance.now() begins, CLOCK_MONOTONIC, by one reading between two of that. withinUs: how far these lie
 * apart.
 */
const readOrigin = (): { readonly originUs: number; readonly withinUs: number } => {
  const beforeUs = microseconds()
  const sinceOriginUs = performance.now() * 1000
  const afterUs = microseconds()
  return { originUs: (beforeUs + afterUs) / 2 - sinceOriginUs, withinUs: afterUs - beforeUs }
}

// performance.now() counts CLOCK_MONOTONIC from the start of the process, and costs a fifth of process.hrtime(). Its
// first call loads what it is made of, which takes up to two milliseconds: the closest of a few readings counts.
const ORIGIN_US = Array.from({ length: 8 }, readOrigin).reduce((best, next) =>
  next.withinUs < best.withinUs ? next : best,
).originUs

/** CLOCK_MONOTONIC, µs, whole: the time base of every frame, the same in the engine's C++. */
export const monotonicUs = (): number => Math.round(ORIGIN_US + performance.now() * 1000)

/**
 * Unix time at the start of the process plus what the monotonic clock has counted since, µs, whole: setting the wall
 * clock moves no time stamp.
 */
export const epochUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

/** Where only the two readings were apart, nothing can be said. */
const MAX_READING_MS = 100
const LOOK_EVERY_MS = 1_000

/** Both clocks at one time; undefined: something came between the readings. */
const readClocks = (): ClockReading | undefined => {
  const steadyMs = performance.now()
  const wallMs = Date.now()
  return performance.now() - steadyMs < MAX_READING_MS ? { wallMs, steadyMs } : undefined
}

/** How long the machine has slept since the last call: only the clock that counts from its start goes on meanwhile. */
const sleepWatch = (): (() => number) => {
  const aheadMs = () => uptime() * 1000 - performance.now()
  let before = aheadMs()
  return () => {
    const now = aheadMs()
    const sleptMs = now - before
    before = now
    return sleptMs
  }
}

/** Tells listeners when the wall clock was set. */
const watchedClock = (): Pick<Clock, 'nowMs' | 'onSet'> => {
  const wall = new WallClock(readClocks() ?? { wallMs: Date.now(), steadyMs: performance.now() })
  const sleptMs = sleepWatch()
  const listeners = new Listeners<number>()
  const listening = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const reading = readClocks()
    const byMs = reading ? wall.look(reading, sleptMs) : 0
    if (byMs !== 0) listeners.notify(byMs)
  }
  return {
    nowMs: () => {
      look()
      return Date.now()
    },
    onSet: (listener) => {
      const stop = listeners.add(listener)
      listening.add(stop)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      return () => {
        stop()
        listening.delete(stop)
        if (listening.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** The clocks of this device. */
export const systemClock: Clock = {
  ...watchedClock(),
  monotonicUs,
  wait: (ms) => setTimeout(ms, undefined, { ref: false }),
}
