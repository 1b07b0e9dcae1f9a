// Which pictures lie where in a recording: an MP4 of JPEGs in fragments (ISO/IEC 14496-12), as the engines write it. A
// recording may be an upload: whatever its numbers say, no more is made of it than its bytes can hold.
import { MAX_BOXES } from '../../../machines/recording/fragments.ts'
import { type Box, boxesIn, child, orientationIn } from './boxes.ts'
import { type Bytes, exactly, NotMedia, readAhead } from './bytes.ts'
import { FragmentPlaces } from './fragment-places.ts'
import { type Run, runOf } from './run.ts'
import { UPRIGHT } from './upright.ts'

const JPEG_OBJECT = 0x6c
const MICROSECONDS = 1e6
const MIN_PICTURE_BYTES = 4 // a JPEG begins and ends with two each

/** One picture. */
export interface Sample {
  /** Since the first. */
  readonly pts_us: number
  /** Of its bytes in the file. */
  readonly offset: number
  /** Of its bytes in the file. */
  readonly length: number
  /** Which side is up, as EXIF numbers it. */
  readonly orientation: number
}

/**
 * Its pictures from a time on, in order, none of which has a byte with another in common. Throws NotMedia for what is
 * not made of JPEGs in fragments, each followed by its pictures. places: where the search begins, and what it adds to.
 */
export async function* samplesOf(
  file: Bytes,
  fromUs: number,
  places = new FragmentPlaces(),
): AsyncGenerator<Sample, undefined> {
  const bytes = readAhead(file)
  const track = await trackIn(bytes)
  if (!track?.isFragmented) throw new NotMedia('its pictures do not lie in fragments')
  const from = places.before(fromUs) ?? track.end
  let run: Run | undefined
  for await (const box of boxesIn(bytes, from, bytes.size, MAX_BOXES)) {
    if (box.type === 'moof') {
      run = await runOf(bytes, box)
      places.note(box.at, microsecondsOf(run.time, track))
    }
    if (box.type !== 'mdat' || !run) continue
    for (const sample of samplesIn(run, box, track)) if (sample.pts_us >= fromUs) yield sample
    run = undefined
  }
}

const trackIn = async (bytes: Bytes): Promise<Track | undefined> => {
  for await (const box of boxesIn(bytes, 0, bytes.size, MAX_BOXES)) {
    if (box.type === 'moov') return trackOf(bytes, box)
    if (box.type === 'moof') throw new NotMedia('its fragments come before its index')
  }
  return undefined
}

const microsecondsOf = (time: number, { timescale }: Track): number => Math.round((time * MICROSECONDS) / timescale)

/** The samples of a fragment: one behind the other, in the box that follows it. */
function* samplesIn(run: Run, { from, end }: Box, track: Track): Generator<Sample> {
  let { time, offset } = run
  for (const { duration, length } of run.pictures) {
    if (length < MIN_PICTURE_BYTES || offset < from || offset + length > end)
      throw new NotMedia('a fragment of it names pictures that are not in it')
    yield { pts_us: microsecondsOf(time, track), offset, length, orientation: track.orientation }
    time += duration
    offset += length
  }
}

/** What the index says of the pictures. */
interface Track {
  /** Where it ends. */
  readonly end: number
  /** Units of time in a second. */
  readonly timescale: number
  readonly isFragmented: boolean
  readonly orientation: number
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
  const timescale = times.readUInt32BE(times[0] === 1 ? 20 : 12)
  if (timescale === 0) throw new NotMedia('its index does not say how long a second is')
  const isFragmented = (await child(bytes, moov, 'mvex')) !== undefined
  return {
    end: moov.end,
    timescale,
    isFragmented,
    orientation: trak ? await orientationIn(bytes, moov, trak) : UPRIGHT,
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
