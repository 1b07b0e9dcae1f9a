// What live pictures cost the control process, against a bare loop of send() with the same bytes to the same readers: all its CPU, for each picture that
// goes to a viewer. The picture is a camera's own JPEG, passed through; what the process does besides is in it, so that few viewers bear more of that.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtProgram } from './build.ts'
import { addStream, type Daemon, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs } from './processes.ts'
import { type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const ROUNDS = 6
const SECONDS = 5
const FPS = 30
const CROWDS = [1, 4, 32]
const ID = 'camera'

/** What a server used and what it gave, both per second. cpuUs: of all its threads. leastPictures: to the viewer that got the fewest. */
interface Show {
  readonly cpuUs: number
  readonly pictures: number
  readonly leastPictures: number
}

export const viewers: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: 10 }, pose: MOUNT } as const
  const [picture] = (await renderJpegs(lab, { manifest: synthetic, name: 'picture', count: 1 })) as [string]
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data') })
  await addStream(daemon, { id: ID, internal: true, source: { backend: 'images', path: picture, fps: FPS } })
  const pairs = new Map<number, Pair[]>(CROWDS.map((count) => [count, []]))
  await ours(lab, daemon, Math.max(...CROWDS)) // warm
  for (let round = 0; round < ROUNDS; round++) {
    for (const [count, found] of pairs) {
      const pair = { ours: await ours(lab, daemon, count), bare: await bare(lab, picture, count) }
      found.push(pair)
      const us = [pair.ours, pair.bare].map((show) => perPicture(show).toFixed(1))
      lab.say(`${count} viewers: ${us[0]} against ${us[1]} µs per picture and viewer`)
    }
  }
  return [...pairs].flatMap(([count, found]) => rowsOf(count, found))
}

/** The same viewers of both, one after the other. */
interface Pair {
  readonly ours: Show
  readonly bare: Show
}

const rowsOf = (count: number, pairs: readonly Pair[]): Row[] => {
  const from = `${pairs.length} rounds of ${SECONDS} s`
  const row = (what: string, unit: string, of: (pair: Pair) => number) => ({
    ...{ what, unit, from },
    ...spread(pairs.map(of)),
  })
  return [
    row(
      `CPU of the control process per MJPEG picture and viewer, ${count} at 30 fps, against a bare send loop`,
      '',
      (pair) => perPicture(pair.ours) / perPicture(pair.bare),
    ),
    row('  the service', 'µs', (pair) => perPicture(pair.ours)),
    row('  the bare loop', 'µs', (pair) => perPicture(pair.bare)),
    row('  what the worst-off viewer got', 'fps', (pair) => pair.ours.leastPictures),
  ]
}

/** CPU of a picture to a viewer, µs. */
const perPicture = ({ cpuUs, pictures }: Show): number => cpuUs / pictures

/** All threads of the control process. The engine hands over each picture once, however many watch. */
const ours = (lab: Lab, daemon: Daemon, count: number): Promise<Show> =>
  watch(lab, new URL(daemon.url).port, {
    path: `/v1/streams/${ID}/preview`,
    count,
    cpuUs: () => processCpuUs(daemon.pid),
  })

const bare = async (lab: Lab, picture: string, count: number): Promise<Show> => {
  const words = ['--fps', String(FPS), '--clients', String(count), '--frames', String(1_000_000)]
  const server = start(lab, await builtProgram('send'), [picture, ...words])
  const show = await watch(lab, await server.line(), { path: '/', count, cpuUs: () => processCpuUs(server.pid) })
  await server.stop()
  return show
}

const SETTLE_MS = 500

const watch = async (
  lab: Lab,
  port: string,
  { path, count, cpuUs }: { path: string; count: number; cpuUs: () => number },
): Promise<Show> => {
  const seconds = SECONDS + SETTLE_MS / 1000
  const readers = start(lab, await builtProgram('read'), [port, path, String(count), String(seconds)])
  await readers.line()
  await delay(SETTLE_MS)
  const [beforeUs, before] = [cpuUs(), performance.now()]
  const { parts, least_parts } = JSON.parse(await readers.line()) as { parts: number; least_parts: number }
  const spent = (cpuUs() - beforeUs) / ((performance.now() - before) / 1000)
  await readers.ended
  return { cpuUs: spent, pictures: parts / seconds, leastPictures: least_parts / seconds }
}
