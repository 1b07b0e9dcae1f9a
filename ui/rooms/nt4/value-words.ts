// Values of topics in words.
import type { LiveTopic } from '../../state/topics.ts'

const MAX_SHOWN = 80

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value === '' ? '""' : value
  if (typeof value === 'number')
    return (Number.isInteger(value) ? String(value) : value.toPrecision(6).replace(/\.?0+(?=$|e)/, '')).replace(
      '-',
      '\u2212',
    )
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${textOf(each)}`)
      .join(', ')} }`
  return String(value)
}

/** All that is known of a value. */
export const wholeValue = ({ value, not_decoded, count, writtenAtMs }: LiveTopic): string => {
  if (not_decoded !== null) return count === null ? not_decoded : `${count} bytes`
  if (value === null && writtenAtMs === null) return 'nothing was written yet'
  return textOf(value)
}

/** A value in one line. */
export const shortValue = (topic: LiveTopic): string => {
  const text = wholeValue(topic)
  const isShort = text.length <= MAX_SHOWN && (!topic.is_cut || topic.not_decoded !== null)
  return isShort ? text : `${text.slice(0, MAX_SHOWN)} ...`
}

/** The number that a plot draws; undefined: it is none. */
export const numberIn = ({ value }: LiveTopic): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : undefined
}
