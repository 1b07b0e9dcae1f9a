// The pictures of a recording, one after the other, as they were taken.
import type { FileHandle } from 'node:fs/promises'
import type { Fault } from '../../machines/errors/fault.ts'
import { bytesOf, NotMedia } from './content/bytes.ts'
import { type Sample, samplesOf } from './content/samples.ts'
import type { RecordedPicture } from './port.ts'

const LONGEST_PICTURE_BYTES = 32 * 1024 * 1024 // as on the way from an engine

/**
 * Of an open file, from a time on. The first is looked for at once, so that a file without any is told from one that has some: `media.no_pictures`. The file is
 * closed behind the last, when nobody wants more, and with a fault.
 */
export const recordedPictures = async (
  file: FileHandle,
  sizeBytes: number,
  fromUs: number,
): Promise<AsyncGenerator<RecordedPicture> | Fault> => {
  const samples = samplesOf(bytesOf(file, sizeBytes), fromUs)
  try {
    return read(file, await samples.next(), samples)
  } catch (error) {
    await file.close()
    if (error instanceof NotMedia) return noPictures(error.message)
    throw error
  }
}

async function* read(
  file: FileHandle,
  first: IteratorResult<Sample>,
  rest: AsyncGenerator<Sample>,
): AsyncGenerator<RecordedPicture> {
  try {
    for (let next = first; !next.done; next = await following(rest)) {
      const { pts_us, offset, length } = next.value
      if (length > LONGEST_PICTURE_BYTES) return
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
      if (bytesRead < length) return // the disk fails: what there was has been shown
      yield { pts_us, jpeg: buffer }
    }
  } finally {
    await file.close()
  }
}

/** A file that is torn has no more pictures from there on. */
const following = (rest: AsyncGenerator<Sample>): Promise<IteratorResult<Sample>> =>
  rest.next().catch((error) => {
    if (error instanceof NotMedia) return { done: true, value: undefined }
    throw error
  })

const noPictures = (why: string): Fault => ({
  code: 'media.no_pictures',
  detail: `this item cannot be shown as pictures: ${why}; read its content and play that`,
})
