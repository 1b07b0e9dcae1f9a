// Videos for tests, made by FFmpeg's program.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { folderOf } from '../processes/folder.ts'

const FILMED = ['-v', 'error', '-y', '-f', 'lavfi', '-i']

/** filmed: in the words of ffmpeg's lavfi. */
interface Filmed {
  readonly fps?: number
  readonly frames?: number
  readonly filmed?: string
}

/**
 * Encodes one, and returns its path. of: its name, whose extension says what it lies in. how: the encoder and what else
 * ffmpeg is told.
 */
export const videoFile = (
  t: TestContext,
  of: string,
  how: readonly string[],
  { fps = 30, frames = 30, filmed = `testsrc2=size=320x240:rate=${fps}` }: Filmed = {},
): string => {
  const path = join(folderOf(t), of)
  execFileSync('ffmpeg', [...FILMED, filmed, '-frames:v', String(frames), ...how, path], { stdio: 'inherit' })
  return path
}

/** Encoders, as ffmpeg is told: small, quick. */
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10']
export const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=10']
export const MJPEG = ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p']
/** In fragments, with an empty index first, as recordings are. */
export const FRAGMENTS = ['-movflags', 'empty_moov+default_base_moof+frag_keyframe']

/** Whether there is an encoder; why a test is skipped that needs it. */
export const without = (encoder: string): string | false => {
  try {
    const listed = execFileSync('ffmpeg', ['-v', 'error', '-encoders'], { encoding: 'utf8' })
    return listed.includes(` ${encoder} `) ? false : `ffmpeg has no encoder ${encoder}`
  } catch {
    return 'the program ffmpeg is not installed (Debian package ffmpeg)'
  }
}
