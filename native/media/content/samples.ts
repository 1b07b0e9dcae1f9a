// Which pictures lie where in a recording: an MP4 of JPEGs in fragments (ISO/IEC 14496-12), as the engines write it.
import { type Box, boxesIn } from './boxes.ts'
import { type Bytes, exactly, NotMedia } from './bytes.ts'

const MOST_BOXES = 400_000 // of a recording: two for each half second, for a day
const MOST_INNER_BOXES = 1_000
const LONGEST_FRAGMENT_HEAD = 1 << 20
const JPEG_OBJECT = 0x6c
const MICROSECONDS = 1e6

/** One picture. pts_us: since the first. offset, length: of its bytes in the file. */
export interface Sample {
  readonly pts_us: number
  readonly offset: number
  readonly length: number
}

/** Its pictures from a time on, in order. Throws NotMedia for what is not made of JPEGs in fragments. */
export async function* samplesOf(bytes: Bytes, fromUs: number): AsyncGenerator<Sample> {
  let track: Track | undefined
  for await (const box of boxesIn(bytes, 0, bytes.size, MOST_BOXES)) {
    if (box.type === 'moov') track = await trackOf(bytes, box)
    if (box.type !== 'moof') continue
    if (!track) throw new NotMedia('its fragments come before its index')
    for (const sample of await fragment(bytes, box, track)) if (sample.pts_us >= fromUs) yield sample
  }
  if (!track?.isFragmented) throw new NotMedia('its pictures do not lie in fragments')
}

/** timescale: units of time in a second. */
interface Track {
  readonly timescale: number
  readonly isFragmented: boolean
}

const trackOf = async (bytes: Bytes, moov: Box): Promise<Track> => {
  const trak = await child(bytes, moov, 'trak')
  const mdia = await child(bytes, trak, 'mdia')
  const mdhd = await child(bytes, mdia, 'mdhd')
  const stsd = await child(bytes, await child(bytes, await child(bytes, mdia, 'minf'), 'stbl'), 'stsd')
  if (!mdhd || !stsd) throw new NotMedia('its index does not say what its video is')
  const description = await exactly(bytes, stsd.from, Math.min(stsd.end - stsd.from, 512))
  // The entry, which holds the descriptor of the stream: tag 4 and its length, then what it is made of.
  const isJpeg = description.toString('latin1', 12, 16) === 'mp4v' && objectOf(description) === JPEG_OBJECT
  if (!isJpeg) throw new NotMedia('its pictures are no JPEGs')
  const times = await exactly(bytes, mdhd.from, 24)
  return {
    timescale: times.readUInt32BE(times[0] === 1 ? 20 : 12),
    isFragmented: (await child(bytes, moov, 'mvex')) !== undefined,
  }
}

const objectOf = (description: Buffer): number | undefined => {
  let at = description.indexOf('esds', 0, 'latin1') + 8
  for (const [tag, skipped] of [
    [3, 3],
    [4, 0],
  ] as const) {
    if (at < 8 || description[at++] !== tag) return undefined
    while ((description[at++] ?? 0) & 0x80); // a length of one to four bytes
    at += skipped
  }
  return description[at]
}

const child = async (bytes: Bytes, parent: Box | undefined, type: string): Promise<Box | undefined> => {
  if (!parent) return undefined
  for await (const box of boxesIn(bytes, parent.from, parent.end, MOST_INNER_BOXES)) if (box.type === type) return box
  return undefined
}

const HAS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 } as const
const HEAD_HAS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10 } as const

/** The pictures of a fragment, whose first track run is all that a recording has. */
const fragment = async (bytes: Bytes, moof: Box, { timescale }: Track): Promise<readonly Sample[]> => {
  if (moof.end - moof.at > LONGEST_FRAGMENT_HEAD) throw new NotMedia('a fragment of it has too many pictures')
  const traf = await child(bytes, moof, 'traf')
  const [tfhd, tfdt, trun] = [
    await numbersOf(bytes, await child(bytes, traf, 'tfhd')),
    await numbersOf(bytes, await child(bytes, traf, 'tfdt')),
    await numbersOf(bytes, await child(bytes, traf, 'trun')),
  ]
  const head = tfhd.flags
  tfhd.skip(4)
  if (head & HEAD_HAS.base) throw new NotMedia('its fragments name places in the file')
  if (head & HEAD_HAS.description) tfhd.skip(4)
  const usual = {
    duration: head & HEAD_HAS.duration ? tfhd.next() : 0,
    size: head & HEAD_HAS.size ? tfhd.next() : 0,
  }
  let time = tfdt.version === 1 ? tfdt.next() * 2 ** 32 + tfdt.next() : tfdt.next()
  const count = trun.next()
  let offset = moof.at + (trun.flags & HAS.offset ? trun.next() : 0)
  if (trun.flags & HAS.firstFlags) trun.skip(4)
  const samples: Sample[] = []
  for (let n = 0; n < count; n++) {
    const duration = trun.flags & HAS.duration ? trun.next() : usual.duration
    const length = trun.flags & HAS.size ? trun.next() : usual.size
    if (trun.flags & HAS.flags) trun.skip(4)
    if (trun.flags & HAS.shift) trun.skip(4)
    samples.push({ pts_us: Math.round((time * MICROSECONDS) / timescale), offset, length })
    time += duration
    offset += length
  }
  return samples
}

/** The numbers of a full box, one after the other, behind its version and flags. */
const numbersOf = async (bytes: Bytes, box: Box | undefined) => {
  if (!box) throw new NotMedia('a fragment of it is not whole')
  const content = await exactly(bytes, box.from, Math.min(box.end - box.from, LONGEST_READ))
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

const LONGEST_READ = 256 * 1024
