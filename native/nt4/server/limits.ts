// How large a message may be: what robots take, so that nothing is kept for them that would cut them off.

/** Of any message, in either direction. The robot library ends a connection that brings it a larger one. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024

/**
 * Of what is put together from several messages: large enough to save writes, small enough to let answers about the
 * clock through.
 */
export const MAX_BATCH_BYTES = 64 * 1024

const ANNOUNCE_SPARE_BYTES = 1024 // brackets, a pubuid, and the longer names of the server's own topics about a topic

/** Whether a control message, as it would be sent, is one that every client takes. */
export const controlFits = (element: string): boolean =>
  Buffer.byteLength(element) <= MAX_MESSAGE_BYTES - ANNOUNCE_SPARE_BYTES

/**
 * Parts in their order, put together in groups that stay below the size of a batch; one that is larger by itself is
 * alone.
 *
 * sizeOf: bytes of a part and what separates it from the next.
 */
export const batches = <Part>(parts: Iterable<Part>, sizeOf: (part: Part) => number): readonly (readonly Part[])[] => {
  const all: Part[][] = []
  let bytes = 0
  for (const part of parts) {
    const size = sizeOf(part)
    if (all.length === 0 || bytes + size > MAX_BATCH_BYTES) {
      all.push([])
      bytes = 0
    }
    all.at(-1)?.push(part)
    bytes += size
  }
  return all
}
