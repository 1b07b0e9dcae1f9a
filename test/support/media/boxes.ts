// Looking into MP4 files in tests: their boxes, and, where FFmpeg's programs are installed, what those make of them.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A box at the top of a file. */
export interface Box {
  readonly type: string
  readonly start: number
  readonly bytes: number
}

/** The boxes at the top of a file; the last one may reach beyond its end. */
export const boxesOf = (path: string): readonly Box[] => {
  const file = readFileSync(path)
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= file.length; ) {
    const bytes = file.readUInt32BE(start)
    boxes.push({ type: file.toString('latin1', start + 4, start + 8), start, bytes })
    if (bytes < 8) break
    start += bytes
  }
  return boxes
}

/** Why a test that needs `ffprobe` and `ffmpeg` is skipped; false: they are there. */
export const noFfmpeg: string | false =
  spawnSync('ffprobe', ['-version']).error || spawnSync('ffmpeg', ['-version']).error
    ? 'the programs ffprobe and ffmpeg are not installed (Debian package ffmpeg)'
    : false

/** The times of the pictures in a file, microseconds, as ffprobe lists them. */
export const picturesOf = (path: string): readonly number[] =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line) => Math.round(Number.parseFloat(line) * 1e6))

const QUIETLY = ['-v', 'warning', '-i']
/** With the times of the file: at those of an even rate two pictures that came close together would be one. */
const DECODED = ['-enc_time_base', '-1', '-f', 'null', '-']

/** Everything that ffmpeg complains about when it decodes a file; empty: nothing. */
export const complaintsAbout = (path: string): string => {
  const { stderr, status } = spawnSync('ffmpeg', [...QUIETLY, path, ...DECODED], { encoding: 'utf8' })
  return stderr + (status === 0 ? '' : `it ended with ${status}`)
}

/** The JPEGs in a file as they lie there, in order: what the boxes `mdat` hold, cut where a picture begins. */
export const jpegsOf = (path: string): readonly Buffer[] => {
  const file = readFileSync(path)
  return boxesOf(path)
    .filter(({ type }) => type === 'mdat')
    .flatMap(({ start, bytes }) => {
      const content = file.subarray(start + 8, start + bytes)
      const starts: number[] = []
      for (let at = content.indexOf(SOI); at >= 0; at = content.indexOf(SOI, at + 1)) starts.push(at)
      return starts.map((at, n) => content.subarray(at, starts[n + 1] ?? content.length))
    })
}

const SOI = Buffer.from([0xff, 0xd8, 0xff])

/** What ffprobe says of a file. entries: as its option -show_entries has them. */
export const probed = (path: string, entries: string): string =>
  spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'csv=p=0', path], {
    encoding: 'utf8',
  }).stdout.trim()
