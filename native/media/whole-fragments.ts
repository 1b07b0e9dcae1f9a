// How far a recording is whole that was not written to its end.
import { boxesIn } from './content/boxes.ts'
import { type Bytes, NotMedia } from './content/bytes.ts'

/** It is the device's own file, and as long as it is: what lies behind a limit would be cut off. */
const ALL = Number.POSITIVE_INFINITY

/**
 * Up to where the file can be played: behind its last fragment (moof and mdat) of which nothing is missing. 0: nothing
 * can be. fewer: so many of them are left out.
 */
export const wholeFragments = async (bytes: Bytes, fewer = 0): Promise<number> => {
  const ends: number[] = [] // of the last of them
  let before = ''
  let hasIndex = false
  try {
    for await (const { type, end } of boxesIn(bytes, 0, bytes.size, ALL)) {
      hasIndex ||= type === 'moov'
      if (hasIndex && type === 'mdat' && before === 'moof') ends.push(end)
      if (ends.length > fewer + 1) ends.shift()
      before = type
    }
  } catch (error) {
    if (!(error instanceof NotMedia)) throw error
  }
  return ends.at(-1 - fewer) ?? 0
}
