// The table that a crowd reads: all keys of the vendor's camera, of the lengths that two tags make, with the number of
// the frame in each value.
import { type ExtcamTopic, TOPICS_WITHOUT_IMU } from '../../../machines/extcam/topics.ts'
import type { Nt4Value } from '../../../native/nt4/port.ts'

/** What all of its topics' names begin with. */
export const TABLE = '/limelight/'

const MAX_JSON_LENGTH = 3_000
const ARRAY = 18
const FILLED = ' '.padEnd(MAX_JSON_LENGTH, 'x')

/** Its topics, by their full names. */
export const TABLE_TOPICS: readonly (ExtcamTopic & { readonly name: string })[] = TOPICS_WITHOUT_IMU.map((topic) => ({
  ...topic,
  name: `${TABLE}${topic.key}`,
}))

/** What a topic says in a frame. */
export const madeUp = ({ key, type }: ExtcamTopic, frame: number): Nt4Value => {
  if (type === 'double') return frame
  if (type === 'double[]') return new Float64Array(ARRAY).fill(frame)
  return key === 'json' ? `${frame}${FILLED}` : `${frame}`
}

/** The number of the frame that a value is of. */
export const frameOf = (value: unknown): number =>
  Array.isArray(value) ? Number(value[0]) : Number.parseFloat(String(value))
