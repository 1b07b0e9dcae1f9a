// The run of pictures that the head of a fragment announces (ISO/IEC 14496-12, 8.8). It says where they should be;
// whether they are is for its reader to see.
import { type Box, child } from './boxes.ts'
import { type Bytes, exactly, MAX_READ_BYTES, NotMedia, readAlready } from './bytes.ts'

/**
 * Of a fragment: half a minute of a fast camera. Where all pictures have one length, their count is a number that costs
 * its writer nothing.
 */
const MAX_PICTURES = 10_000

/** A fragment's pictures. */
export interface Run {
  /** Of the first, in units of the track. */
  readonly time: number
  /** Of the first in the file. */
  readonly offset: number
  readonly pictures: Iterable<{ readonly duration: number; readonly length: number }>
}

const HAS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 } as const
const HEAD_HAS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10 } as const

/**
 * What the head of a fragment says, whose first run in its first track is all that a recording has. Its pictures throw
 * NotMedia where it ends too early.
 */
export const runOf = async (file: Bytes, moof: Box): Promise<Run> => {
  if (moof.end - moof.at > MAX_READ_BYTES) throw new NotMedia('a fragment of it has too many pictures')
  const bytes = readAlready(file, moof.at, await exactly(file, moof.at, moof.end - moof.at))
  const traf = await child(bytes, moof, 'traf')
  const numbers = async (type: string) => numbersOf(bytes, await child(bytes, traf, type))
  const [tfhd, tfdt, trun] = [await numbers('tfhd'), await numbers('tfdt'), await numbers('trun')]
  tfhd.skip(4)
  if (tfhd.flags & HEAD_HAS.base) throw new NotMedia('its fragments name places in the file')
  if (tfhd.flags & HEAD_HAS.description) tfhd.skip(4)
  const usual = {
    duration: tfhd.flags & HEAD_HAS.duration ? tfhd.next() : 0,
    length: tfhd.flags & HEAD_HAS.size ? tfhd.next() : 0,
  }
  const time = tfdt.version === 1 ? tfdt.next() * 2 ** 32 + tfdt.next() : tfdt.next()
  const count = trun.next()
  if (count > MAX_PICTURES) throw new NotMedia(`a fragment of it has more than ${MAX_PICTURES} pictures`)
  const offset = moof.at + (trun.flags & HAS.offset ? trun.next() : 0)
  if (trun.flags & HAS.firstFlags) trun.skip(4)
  return { time, offset, pictures: picturesOf(trun, count, usual) }
}

interface Picture {
  readonly duration: number
  readonly length: number
}

function* picturesOf(trun: Numbers, count: number, usual: Picture): Generator<Picture> {
  for (let n = 0; n < count; n += 1) {
    const duration = trun.flags & HAS.duration ? trun.next() : usual.duration
    const length = trun.flags & HAS.size ? trun.next() : usual.length
    if (trun.flags & HAS.flags) trun.skip(4)
    if (trun.flags & HAS.shift) trun.skip(4)
    yield { duration, length }
  }
}

/** The numbers of a full box, one after the other, behind its version and flags. */
interface Numbers {
  readonly version: number
  readonly flags: number
  readonly skip: (bytes: number) => void
  readonly next: () => number
}

const numbersOf = async (bytes: Bytes, box: Box | undefined): Promise<Numbers> => {
  if (!box) throw new NotMedia('a fragment of it is not whole')
  const content = await exactly(bytes, box.from, box.end - box.from)
  let at = 4
  const skip = (count: number) => {
    at += count
    if (at > content.length) throw new NotMedia('a fragment of it ends too early')
  }
  return {
    version: content[0] ?? 0,
    flags: content.length >= 4 ? content.readUInt32BE(0) & 0xffffff : 0,
    skip,
    next: (): number => {
      skip(4)
      return content.readUInt32BE(at - 4)
    },
  }
}
