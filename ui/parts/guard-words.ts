// What the resource guard takes from a stream, in a few words.
import type { GuardedStatus } from '../state/guard.ts'
import { figureOf } from '../words.ts'

type Reason = NonNullable<GuardedStatus['why']>

const MEASURES: Readonly<Record<Reason['measure'], (value: string) => string>> = {
  celsius: (value) => `processor ${value} °C`,
  throttled: () => 'processor slowed down',
  cpu_pressure: (value) => `wait for the processor ${value} %`,
  cpu_load: (value) => `processor ${value} %`,
  memory_available: (value) => `memory left ${value} %`,
  memory_some: (value) => `wait for memory ${value} %`,
  memory_full: (value) => `standstill for memory ${value} %`,
  io_full: (value) => `wait for the disk ${value} %`,
  disk_free: (value) => `disk left ${value} %`,
}

/** What was measured: `processor 84 °C`. */
export const measureWords = ({ measure, value }: Pick<Reason, 'measure' | 'value'>): string =>
  MEASURES[measure](figureOf(value))

const previewWords = (isSlower: boolean, isSmaller: boolean): string => {
  const what = [isSlower && 'slowed', isSmaller && 'made smaller'].filter(Boolean).join(' and ')
  return what && `preview ${what}`
}

const cutWords = ({ preview_fps, preview_width_px, takes_every, stops_recording, is_paused }: GuardedStatus): string =>
  is_paused
    ? 'stopped'
    : [
        takes_every > 1 && `1 of ${takes_every} pictures processed`,
        stops_recording && 'recording ended',
        previewWords(preview_fps !== null, preview_width_px !== null),
      ]
        .filter(Boolean)
        .join(', ')

/** `preview slowed: processor 84 °C`; undefined: nothing is taken. */
export const guardWords = (guard: GuardedStatus): string | undefined => {
  const words = cutWords(guard)
  if (words === '') return undefined
  return guard.why ? `${words}: ${measureWords(guard.why)}` : words
}
