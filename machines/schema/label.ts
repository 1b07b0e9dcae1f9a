// What people read in place of a name: `exposure_time_us` is "Exposure time" in µs.

/** A name as people read it. */
export interface Label {
  /** In sentence case, without a full stop. */
  readonly title: string
  /** In which its value is; null: in none. */
  readonly unit: string | null
}

/** What a form says of a field beside its schema, where that does not follow from its name. */
export interface FieldLabel extends Partial<Label> {
  /** From one value to the next. */
  readonly step?: number
}

/** Of fields, by name. */
export type FieldLabels = Readonly<Record<string, FieldLabel>>

const UNITS: Readonly<Record<string, string>> = {
  us: 'µs',
  ms: 'ms',
  s: 's',
  px: 'px',
  m: 'm',
  mm: 'mm',
  deg: 'deg',
  hz: 'Hz',
  mb: 'MB',
  percent: '%',
}

/** Words that say how a number is meant, which its range says too. */
const UNSAID: ReadonlySet<string> = new Set(['share'])

const BOUNDS: Readonly<Record<string, string>> = { min: 'minimum', max: 'maximum' }

const SPELLED: Readonly<Record<string, string>> = { id: 'ID', ids: 'IDs', fps: 'FPS' }

/** The label that follows from a name: its unit is its last word, and a bound comes first. */
export const labelOf = (name: string): Label => {
  const words = name.split('_').filter((word) => word !== '' && !UNSAID.has(word))
  const last = words.at(-1) ?? ''
  const unit = words.length > 1 && Object.hasOwn(UNITS, last) ? (UNITS[last] as string) : null
  const named = unit === null ? words : words.slice(0, -1)
  const bounds = named.flatMap((word) => BOUNDS[word] ?? [])
  const rest = named.filter((word) => !BOUNDS[word]).map((word) => SPELLED[word] ?? word)
  const title = [...bounds, ...rest].join(' ')
  return { title: upper(title.charAt(0)) + title.slice(1), unit }
}

const upper = (text: string): string => text.toUpperCase()
