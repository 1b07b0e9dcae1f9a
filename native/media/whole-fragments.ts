// How far a recording is whole that was not written to its end.
import { boxesIn } from './content/boxes.ts'
import { type Bytes, NotMedia } from './content/bytes.ts'

const MOST_BOXES = 200_000 // two for each half second, for half a day

/** Up to where the file can be played: behind its last fragment (moof and mdat) of which nothing is missing. 0: nothing can be. */
export const wholeFragments = async (bytes: Bytes): Promise<number> => {
  let whole = 0
  let before = ''
  let hasIndex = false
  try {
    for await (const { type, end } of boxesIn(bytes, 0, bytes.size, MOST_BOXES)) {
      hasIndex ||= type === 'moov'
      if (hasIndex && type === 'mdat' && before === 'moof') whole = end
      before = type
    }
  } catch (error) {
    if (!(error instanceof NotMedia)) throw error
  }
  return whole
}
