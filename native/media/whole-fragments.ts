// How far a recording is whole that was not written to its end.
import { boxesIn } from './content/boxes.ts'
import { type Bytes, NotMedia } from './content/bytes.ts'

const MOST_BOXES = 200_000 // two for each half second, for half a day

/** Up to where the file can be played: behind its last fragment (moof and mdat) of which nothing is missing. 0: nothing can be. fewer: so many of them are left out. */
export const wholeFragments = async (bytes: Bytes, fewer = 0): Promise<number> => {
  const ends: number[] = []
  let before = ''
  let hasIndex = false
  try {
    for await (const { type, end } of boxesIn(bytes, 0, bytes.size, MOST_BOXES)) {
      hasIndex ||= type === 'moov'
      if (hasIndex && type === 'mdat' && before === 'moof') ends.push(end)
      before = type
    }
  } catch (error) {
    if (!(error instanceof NotMedia)) throw error
  }
  return ends.at(-1 - fewer) ?? 0
}
