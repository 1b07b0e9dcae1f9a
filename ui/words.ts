// How the interface's own words are shown: a word for people, and a tone, which is a colour and a shape.

/**
 * good: as it should be. busy: on its way, or old. bad: trouble. quiet: nothing is wanted of it. peer: another
 * device's.
 */
export type Tone = 'good' | 'busy' | 'bad' | 'quiet' | 'peer'

/** A word and its tone. */
export interface Shown {
  readonly word: string
  readonly tone: Tone
}

const WORDS: Readonly<Record<string, Shown>> = {
  live: { word: 'live', tone: 'good' },
  connected: { word: 'linked', tone: 'good' },
  linked: { word: 'linked', tone: 'peer' },
  running: { word: 'running', tone: 'busy' },
  starting: { word: 'starting', tone: 'busy' },
  opening: { word: 'opening', tone: 'busy' },
  restarting: { word: 'restarting', tone: 'busy' },
  resetting: { word: 'resetting', tone: 'busy' },
  'power-cycling': { word: 'switching its port off and on', tone: 'busy' },
  greeting: { word: 'greeting', tone: 'busy' },
  synchronising: { word: 'synchronising', tone: 'busy' },
  dialling: { word: 'dialling', tone: 'busy' },
  'awaiting-server': { word: 'waiting for the robot', tone: 'busy' },
  stalled: { word: 'slow', tone: 'busy' },
  stale: { word: 'old', tone: 'busy' },
  'backing-off': { word: 'trying again', tone: 'bad' },
  offline: { word: 'offline', tone: 'bad' },
  failed: { word: 'failed', tone: 'bad' },
  refused: { word: 'refused', tone: 'bad' },
  disabled: { word: 'switched off', tone: 'quiet' },
  paused: { word: 'paused', tone: 'busy' },
  off: { word: 'switched off', tone: 'quiet' },
  parked: { word: 'not set up', tone: 'quiet' },
  ended: { word: 'ended', tone: 'quiet' },
  legacy: { word: 'other kind', tone: 'quiet' },
  proxy: { word: 'proxy', tone: 'peer' },
  local_attach: { word: 'worked on here', tone: 'peer' },
}

/** What a state is called on the page. One that is not known is shown as the interface has it. */
export const shownState = (state: string): Shown => WORDS[state] ?? { word: state.replaceAll('-', ' '), tone: 'quiet' }

/** `1 tag`, `2 tags`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A span of time in the largest unit that says something: `12 s`, `3 min`, `2 h 05 min`, `4 days`. */
export const spanOf = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
  return `${Math.floor(hours / 24)} days`
}

/** The time of day, `14:05`. */
export const timeOf = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })

/** `12.3 MB`. */
export const sizeOf = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`
}

/** A number with so many digits after the point and a true minus sign; a dash when it is not known. */
export const figureOf = (value: number | null | undefined, digits = 0): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : value
        .toFixed(digits)
        .replace(/^-(?=.*[1-9])/, '\u2212')
        .replace(/^-/, '')
