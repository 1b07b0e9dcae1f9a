// The device's clocks.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from './port.ts'

/** Unix time, ms; follows the wall clock when that is set. */
export const nowMs = (): number => Date.now()

// performance.now() counts CLOCK_MONOTONIC from the start of the process, and costs a fifth of process.hrtime().
const ORIGIN_US = Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000

/** CLOCK_MONOTONIC, µs, whole: the time base of every frame, the same in the engine's C++. */
export const monotonicUs = (): number => Math.round(ORIGIN_US + performance.now() * 1000)

/** Unix time at the start of the process plus what the monotonic clock has counted since, µs, whole: setting the wall clock moves no time stamp. */
export const epochUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

/** The clocks of this device. */
export const systemClock: Clock = { nowMs, monotonicUs, wait: (ms) => setTimeout(ms, undefined, { ref: false }) }
