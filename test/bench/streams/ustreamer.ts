// Showing a camera's own JPEG to many, against Debian's ustreamer: the same emulated camera for each, the same bytes,
// the same readers. Neither decodes a picture.
import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../support/processes/free-port.ts'
import { getJson } from '../lab/daemon.ts'
import { NOTHING } from '../lab/graphs.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import {
  inTurns,
  oursUs,
  type Reference,
  ratio,
  roundsIn,
  rowsOfOthers,
  type Turn,
  theirsUs,
  wholeRatio,
  writingUs,
} from './crowds.ts'
import { FPS, MODE, type WatchedCamera, watchedCamera } from './watched-camera.ts'

const ROUNDS = 6

export const ustreamer: Measurement = async (lab) => {
  if (!isInstalled())
    throw new Error('this is measured against ustreamer; please install the Debian package of that name')
  const camera = await watchedCamera(lab, NOTHING)
  const turns = await inTurns(lab, camera, await ustreamerOn(lab, camera), ROUNDS)
  return [...turns].flatMap(([count, found]) => rowsOf(count, found))
}

const rowsOf = (count: number, turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, roundsIn(turns))
  return [
    row(
      `CPU of the threads that write, per picture and viewer, ${count} at ${FPS} fps, against ustreamer`,
      '',
      ratio(writingUs),
      { atMost: 0.25 },
    ),
    row('  the threads that write', 'µs', writingUs),
    row('  all threads that have pictures', 'µs', oursUs),
    row('  ustreamer', 'µs', theirsUs),
    ...rowsOfOthers(turns),
    row('  the ratio with all that all threads of both use without viewers', '', wholeRatio),
    row('  pictures of ours for each of theirs', '', ({ ours, theirs }) => ours.pictures / theirs.pictures),
  ]
}

const isInstalled = (): boolean => {
  try {
    execFileSync('ustreamer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** One for all crowds. */
const ustreamerOn = async (lab: Lab, camera: WatchedCamera): Promise<Reference> => {
  const { pid, port } = await startUstreamer(lab, camera)
  return { path: '/stream', open: async () => ({ pid, port, close: async () => {} }) }
}

const startUstreamer = async (lab: Lab, { other, env }: WatchedCamera): Promise<Helper & { readonly port: string }> => {
  const port = String(await freePort())
  const { width_px, height_px, fps } = MODE
  const source = ['--device', other, '--format', 'MJPEG', '--encoder', 'HW']
  const mode = ['--resolution', `${width_px}x${height_px}`, '--desired-fps', String(fps)]
  // It tells of each viewer, at every level of its log.
  const quiet = ['-c', 'exec ustreamer "$@" 2>/dev/null', 'ustreamer']
  const helper = start(lab, 'sh', [...quiet, ...source, ...mode, '--host', '127.0.0.1', '--port', port], env)
  for (let n = 0; n < 100; n += 1) {
    await delay(100)
    if (await hasPictures(port).catch(() => false)) return { ...helper, port }
  }
  throw new Error('ustreamer takes no pictures')
}

/** Without a camera it shows a picture of its own, once a second. */
const hasPictures = async (port: string): Promise<boolean> => {
  const { result } = await getJson<{ result: { source: { online: boolean } } }>(`http://127.0.0.1:${port}/state`)
  return result.source.online
}
