// What comes in pieces, as a whole.

/** All pieces, one after the other. Throws what they throw. */
export const wholeOf = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
