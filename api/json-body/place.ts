// Places in a text, as people look for them.

/** `line 2, column 8`, both from 1, of an index into a text. Columns count UTF-16 units, as editors mostly do. */
export const placeOf = (text: string, at: number): string => {
  let line = 1
  let start = 0 // of that line
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return `line ${line}, column ${at - start + 1}`
}
