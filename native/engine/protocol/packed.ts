// Whether bytes are one whole MessagePack value, found out without making anything of them. A reader that trusts the
// counts in a broken frame takes memory for entries that never come: ten nested lists of thirty million are sixty
// bytes.

/**
 * Bytes that follow the first byte of a value without entries; -1: those are not used here. Index: the first byte, from
 * 0xc0 to 0xdf.
 */
const FOLLOWING = [
  0, -1, 0, 0, 1, 2, 4, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, -1, -1, -1, -1, 1, 2, 4, 2, 4, 2, 4,
]

const FIX_MAP = 0x80
const FIX_LIST = 0x90
const FIX_TEXT = 0xa0
const NIL = 0xc0
const BIN_8 = 0xc4
const BIN_32 = 0xc6
const FIX_EXTENSION_1 = 0xd4
const TEXT_8 = 0xd9
const LIST_16 = 0xdc
const MAP_16 = 0xde
const NEGATIVE = 0xe0

/**
 * undefined: one whole value, with nothing behind it and at most maxValues in it. Extensions are not used on these
 * wires, but for `undefined`.
 */
export const whyNotWhole = (bytes: Buffer, maxValues = Number.POSITIVE_INFINITY): string | undefined => {
  let at = 0
  let left = maxValues
  for (let values = 1; values > 0; values--) {
    if (--left < 0) return `it has more than ${maxValues} values`
    if (values > bytes.length - at) return `${values} values are to come in ${bytes.length - at} bytes`
    const first = bytes[at++] as number
    if (first >= NEGATIVE || first < FIX_MAP) continue
    if (first < NIL) {
      const count = first & (first < FIX_TEXT ? 0x0f : 0x1f)
      if (first < FIX_LIST) values += 2 * count
      else if (first < FIX_TEXT) values += count
      else at += count
      continue
    }
    const following = FOLLOWING[first - NIL] as number
    if (following < 0 || at + following > bytes.length) return `the byte 0x${first.toString(16)} begins nothing here`
    if (first === FIX_EXTENSION_1 && bytes[at] !== 0) return 'it has an extension'
    const isCounted = (first >= BIN_8 && first <= BIN_32) || first >= TEXT_8
    const count = isCounted ? bytes.readUIntBE(at, following) : 0
    at += following
    if (first >= MAP_16) values += 2 * count
    else if (first >= LIST_16) values += count
    else at += count
  }
  return at === bytes.length ? undefined : `${at} bytes are one value, but ${bytes.length} came`
}
