// Finds half of a surrogate pair in a text that is JSON: no text in UTF-8 can hold it.

// Backslashes stand in strings alone, and this takes them one escape at a time, so `\\ud800` is two characters and then
// plain text.
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|[^u])/g
const LENGTH = 6 // of \u0000

/** The index of the first one; -1 when there is none. */
export const findLoneSurrogate = (text: string): number => {
  let high = -1 // the index of a first half that waits for its second
  for (const { index, 1: hex } of text.matchAll(ESCAPE)) {
    const unit = hex === undefined ? 0 : Number.parseInt(hex, 16)
    const follows = high >= 0 && index === high + LENGTH
    if (high >= 0 && !(follows && isLow(unit))) return high
    high = -1
    if (isLow(unit) && !follows) return index
    if (isHigh(unit)) high = index
  }
  return high
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
