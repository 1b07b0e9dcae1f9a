// What the device has too little of, judged once a second. Each cause has a limit from which on it asks for cuts, and a
// lower one below which it lets go: between them all stays as it is.
import { enumOf } from '../schema/enum-of.ts'
import type { Lever } from './levels.ts'
import type { DeviceReading, StreamReading } from './reading.ts'
import type { GuardSettings } from './settings.ts'

/** What there can be too little of, and what that is. */
const CAUSES = {
  heat: 'the processor is too hot',
  throttling: 'the device has slowed its processor down',
  processor: 'programs wait for the processor, and a stream is late',
  memory: 'programs wait for memory, or there is hardly any left',
  disk: 'programs wait for the disk',
  disk_room: 'the disk with the data folder is nearly full',
} as const
export type CauseName = keyof typeof CAUSES

/** By which figure that was seen. */
const MEASURES = {
  celsius: 'the temperature of the processor, °C',
  throttled: '1, the processor is slowed down',
  cpu_pressure: 'the share of the last 10 s in which a program waited for the processor, %',
  cpu_load: 'how much of the time the processors computed, %, of a device that does not tell the pressure',
  memory_available: 'what programs could still have of all memory, %; its limit is the least',
  memory_some: 'the share of the last 10 s in which a program waited for memory, %',
  memory_full: 'the share of the last 10 s in which all programs waited for memory, %',
  io_full: 'the share of the last 10 s in which all programs waited for the disk, %',
  disk_free: 'what can still be written of the disk with the data folder, %; its limit is the least',
} as const
export type Measure = keyof typeof MEASURES

/** On the wire. */
export const CauseField = enumOf(CAUSES, 'GuardCauseName')
export const MeasureField = enumOf(MEASURES, 'GuardMeasure')

/** How it is with one of them. */
export interface Cause {
  readonly cause: CauseName
  readonly measure: Measure
  /** cut: more is to be cut. keep: no more, and nothing is given back. */
  readonly asks: 'cut' | 'keep'
  /** What was measured, and the limit of that. */
  readonly value: number
  readonly limit: number
  /** What helps against it. */
  readonly levers: readonly Lever[]
  /** Only streams after this one, in the order of who is cut last, give way; undefined: all do. Previews always do. */
  readonly for_stream?: string
}

const PREVIEWS: readonly Lever[] = ['preview_rate', 'preview_size']
const WORK: readonly Lever[] = [...PREVIEWS, 'pipeline_rate', 'pause']
const MEMORY: readonly Lever[] = [...PREVIEWS, 'recording', 'pause']
const TAKES_MEMORY: readonly Lever[] = ['recording', 'pause']
const WRITING: readonly Lever[] = ['recording']

/** Of its limit, what a cause has to fall below to let go. */
const LETS_GO = 0.6

const DEFAULT_LIMIT_C = 85 // a Raspberry Pi is slowed down at 80 to 85
const MAX_LIMIT_C = 95 // of a device that names no more than the temperature at which it ends
/**
 * Below the limit, degrees. A device in a closed case runs for hours a few degrees below its limit without being slowed
 * down: there previews give way, and what streams compute only when it is about to be.
 */
const WARM_C = 5
const HOT_C = 1
const WARM_LETS_GO_C = 4 // about what a cut brings
const HOT_LETS_GO_C = 3

const MIN_MEMORY_LEFT = 5 // %: with less the kernel takes back pages of programs that run
const MEMORY_LETS_GO = 8
const MEMORY_STALLS = 0.5 // of the limit: all programs stand still at once, which is worse by far
const MIN_DISK_LEFT = 1 // %: what else is stored needs some, and a recording ends by itself when there is none
const DISK_LETS_GO = 3

const LOAD_FULL = 97 // %: of a device that does not tell the pressure
const LOAD_LETS_GO = 85

const MAX_LATE_SHARE = 0.75 // of the time from one picture to the next
const MIN_LATE_US = 15_000 // at high rates: a robot's program runs every 20 ms
const DEFAULT_FPS = 30

/** What is remembered of a stream's latencies. */
export interface Unhurried {
  /** How long a frame takes when nothing holds it up, µs: the least that was seen lately. */
  readonly us: number
}

const FORGETS = 1 / 300 // of the distance, each second: after five minutes a pipeline that was made slower is known

/** What is remembered after another second. */
export const unhurriedAfter = (
  before: Unhurried | undefined,
  latency: StreamReading['latency_us'],
): Unhurried | undefined => {
  if (!latency) return before
  if (!before || latency.p10 < before.us) return { us: latency.p10 }
  return { us: before.us + FORGETS * (latency.p10 - before.us) }
}

/**
 * How late a stream is, against what it may be: 1 and more is late. Late is what takes longer than it did unhurried,
 * so that a camera or a pipeline that is slow by itself is not.
 */
export const latenessOf = (
  { latency_us, fps = DEFAULT_FPS }: StreamReading,
  unhurried: Unhurried | undefined,
): number => {
  if (!latency_us || !unhurried) return 0
  return (latency_us.p90 - unhurried.us) / Math.max(MIN_LATE_US, (MAX_LATE_SHARE * 1e6) / fps)
}

/** The temperature that the processor is not to reach, °C. */
export const maxCelsius = (
  { max_celsius }: Pick<GuardSettings, 'max_celsius'>,
  { limit_celsius }: Pick<DeviceReading, 'limit_celsius'>,
): number => max_celsius ?? Math.min(MAX_LIMIT_C, limit_celsius ?? DEFAULT_LIMIT_C)

/** What is known beside the present figures. */
export interface CauseParts {
  readonly settings: GuardSettings
  /** Half a minute ago, °C; null: not known. It tells whether what was cut has begun to help. */
  readonly celsius_before: number | null
  /** The first stream that is late, and by how much (latenessOf); undefined: none is. */
  readonly late: { readonly id: string; readonly lateness: number } | undefined
  /** For how long no stream has been late, ms. */
  readonly punctual_ms: number
  /** After so long without a late stream it is tried whether there is room for more. */
  readonly try_after_ms: number
}

/** The causes that ask for anything. */
export const causesOf = (device: DeviceReading, parts: CauseParts): readonly Cause[] => [
  ...heat(device, parts),
  ...[throttling(device), processor(device, parts), memory(device, parts), disk(device, parts), room(device)].filter(
    (cause) => cause !== undefined,
  ),
]

const heat = (device: DeviceReading, { settings, celsius_before }: CauseParts): readonly Cause[] => {
  const { celsius } = device
  if (celsius === null) return []
  const isCooling = celsius_before !== null && celsius <= celsius_before - 1
  const above = (limit: number, letsGo: number, levers: readonly Lever[]): readonly Cause[] => {
    if (celsius <= limit - letsGo) return []
    const asks = celsius > limit && !isCooling ? 'cut' : 'keep'
    return [{ cause: 'heat', measure: 'celsius', asks, value: celsius, limit, levers }]
  }
  const max = maxCelsius(settings, device)
  return [...above(max - WARM_C, WARM_LETS_GO_C, PREVIEWS), ...above(max - HOT_C, HOT_LETS_GO_C, WORK)]
}

const throttling = ({ is_throttled }: DeviceReading): Cause | undefined =>
  is_throttled
    ? { cause: 'throttling', measure: 'throttled', asks: 'cut', value: 1, limit: 0, levers: WORK }
    : undefined

const processor = (
  { cpu_pressure, cpu_load }: DeviceReading,
  { settings, late, punctual_ms, try_after_ms }: CauseParts,
): Cause | undefined => {
  const limit = cpu_pressure === null ? LOAD_FULL : settings.max_cpu_pressure
  const letsGo = cpu_pressure === null ? LOAD_LETS_GO : LETS_GO * limit
  const value = cpu_pressure ?? cpu_load
  if (value === null || value < letsGo || punctual_ms >= try_after_ms) return undefined
  const isCut = late !== undefined && value >= limit
  return {
    cause: 'processor',
    measure: cpu_pressure === null ? 'cpu_load' : 'cpu_pressure',
    asks: isCut ? 'cut' : 'keep',
    value,
    limit,
    levers: WORK,
    ...(late && { for_stream: late.id }),
  }
}

const memory = (
  { memory_some, memory_full, memory_available }: DeviceReading,
  { settings: { max_memory_pressure: limit } }: CauseParts,
): Cause | undefined => {
  const cause = 'memory' as const
  const left = memory_available ?? 100
  const stalls = memory_full ?? 0
  const waits = memory_some ?? 0
  const ofLeft = { cause, measure: 'memory_available', value: left, limit: MIN_MEMORY_LEFT } as const
  if (left < MIN_MEMORY_LEFT) return { ...ofLeft, asks: 'cut', levers: MEMORY }
  const maxStalls = MEMORY_STALLS * limit
  if (stalls > maxStalls)
    return { cause, measure: 'memory_full', asks: 'cut', value: stalls, limit: maxStalls, levers: MEMORY }
  if (left < MEMORY_LETS_GO) return { ...ofLeft, asks: 'keep', levers: TAKES_MEMORY }
  if (waits <= LETS_GO * limit) return undefined
  const ofWaits = { cause, measure: 'memory_some', value: waits, limit } as const
  return waits > limit ? { ...ofWaits, asks: 'cut', levers: PREVIEWS } : { ...ofWaits, asks: 'keep', levers: MEMORY }
}

const disk = (
  { io_full }: DeviceReading,
  { settings: { max_disk_pressure: limit } }: CauseParts,
): Cause | undefined => {
  if (io_full === null || io_full <= LETS_GO * limit) return undefined
  const asks = io_full > limit ? 'cut' : 'keep'
  return { cause: 'disk', measure: 'io_full', asks, value: io_full, limit, levers: WRITING }
}

const room = ({ disk_free }: DeviceReading): Cause | undefined => {
  if (disk_free === null || disk_free >= DISK_LETS_GO) return undefined
  const asks = disk_free < MIN_DISK_LEFT ? 'cut' : 'keep'
  return { cause: 'disk_room', measure: 'disk_free', asks, value: disk_free, limit: MIN_DISK_LEFT, levers: WRITING }
}
