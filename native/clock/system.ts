// The device's clocks.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from './port.ts'

/** Unix time, ms; follows the wall clock when that is set. */
export const nowMs = (): number => Date.now()

const microseconds = (): number => Number(process.hrtime.bigint()) / 1000

/** Where performance.now() begins, CLOCK_MONOTONIC, by one reading between two of that. withinUs: how far these lie apart. */
const readOrigin = (): { readonly originUs: number; readonly withinUs: number } => {
  const beforeUs = microseconds()
  const sinceOriginUs = performance.now() * 1000
  const afterUs = microseconds()
  return { originUs: (beforeUs + afterUs) / 2 - sinceOriginUs, withinUs: afterUs - beforeUs }
}

// performance.now() counts CLOCK_MONOTONIC from the start of the process, and costs a fifth of process.hrtime(). Its first call loads what it is made of, which
// takes up to two milliseconds: the closest of a few readings counts.
const ORIGIN_US = Array.from({ length: 8 }, readOrigin).reduce((best, next) =>
  next.withinUs < best.withinUs ? next : best,
).originUs

/** CLOCK_MONOTONIC, µs, whole: the time base of every frame, the same in the engine's C++. */
export const monotonicUs = (): number => Math.round(ORIGIN_US + performance.now() * 1000)

/** Unix time at the start of the process plus what the monotonic clock has counted since, µs, whole: setting the wall clock moves no time stamp. */
export const epochUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

/** The clocks of this device. */
export const systemClock: Clock = { nowMs, monotonicUs, wait: (ms) => setTimeout(ms, undefined, { ref: false }) }
