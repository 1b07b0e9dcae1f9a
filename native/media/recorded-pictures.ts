// The pictures of a recording, one after the other, as they were taken.
import type { FileHandle } from 'node:fs/promises'
import type { Fault } from '../../machines/errors/fault.ts'
import { bytesOf, exactly, MAX_READ_BYTES, NotMedia } from './content/bytes.ts'
import { type Sample, samplesOf } from './content/samples.ts'
import { withOrientation } from './content/upright.ts'
import { noPlaces } from './known-places.ts'
import type { RecordedPicture } from './port.ts'

/**
 * Of an open file, upright by what the container says, from a time on. The first is looked for at once, so that a
 * file without any is told from one that has some: `media.no_pictures`.
 */
export const recordedPictures = async (
  file: FileHandle,
  sizeBytes: number,
  fromUs: number,
  { places, queue } = noPlaces(),
): Promise<AsyncGenerator<RecordedPicture> | Fault> => {
  const samples = samplesOf(bytesOf(file, sizeBytes), fromUs, places)
  try {
    return read(file, await queue.inTurn(() => samples.next()), samples)
  } catch (error) {
    if (error instanceof NotMedia) return noPictures(error.message)
    throw error
  }
}

async function* read(
  file: FileHandle,
  first: IteratorResult<Sample>,
  rest: AsyncGenerator<Sample>,
): AsyncGenerator<RecordedPicture> {
  for (let next = first; !next.done; next = await following(rest)) {
    const { pts_us, offset, length, orientation } = next.value
    const head = await bytesOf(file, offset + length).at(offset, length)
    const shown = withOrientation(head, orientation)
    const [from, left] = [offset + head.length, length - head.length]
    yield { pts_us, size_bytes: shown.length + left, pieces: () => piecesOf(file, shown, from, left) }
  }
}

/** A file that is torn has no more pictures from there on. */
const following = (rest: AsyncGenerator<Sample>): Promise<IteratorResult<Sample>> =>
  rest.next().catch((error) => {
    if (error instanceof NotMedia) return { done: true, value: undefined }
    throw error
  })

/** head: what comes before. */
async function* piecesOf(file: FileHandle, head: Buffer, offset: number, length: number): AsyncGenerator<Buffer> {
  yield head
  const bytes = bytesOf(file, offset + length)
  for (let done = 0; done < length; ) {
    const piece = await exactly(bytes, offset + done, Math.min(length - done, MAX_READ_BYTES))
    yield piece
    done += piece.length
  }
}

const noPictures = (why: string): Fault => ({
  code: 'media.no_pictures',
  detail: `this item cannot be shown as pictures: ${why}; read its content and play that`,
})
