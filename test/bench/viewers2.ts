// What another viewer of the live picture costs, against a bare loop of send() with the same bytes to the same readers. The picture is a camera's own
// JPEG, passed through. The price of one viewer is the difference of 32 and 1, per picture that went out: what the service does anyway is not in it.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtProgram } from './build.ts'
import { addStream, type Daemon, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs } from './processes.ts'
import { spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const ROUNDS = 8
const SECONDS = 8
const FPS = 30
const MANY = 32
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
  const oursUs: number[] = []
  const bareUs: number[] = []
  const least: number[] = []
  await ours(lab, daemon, MANY) // warm
  while (oursUs.length < ROUNDS) {
    const [many, one] = [await ours(lab, daemon, MANY), await ours(lab, daemon, 1)]
    oursUs.push(perPicture(many, one))
    least.push(many.leastPictures)
    bareUs.push(perPicture(await bare(lab, picture, MANY), await bare(lab, picture, 1)))
    lab.say(`many ${many.cpuUs.toFixed(0)} one ${one.cpuUs.toFixed(0)} pics ${many.pictures.toFixed(0)} ${one.pictures.toFixed(0)}`); lab.say(`${oursUs.at(-1)?.toFixed(1)} against ${bareUs.at(-1)?.toFixed(1)} µs per picture and viewer`)
  }
  const from = `${ROUNDS} rounds of ${SECONDS} s`
  return [
    {
      what: 'CPU per MJPEG viewer at 30 fps, 32 viewers, against a bare send loop',
      unit: '',
      figure: { atMost: 1.5 },
      ...spread(oursUs.map((us, round) => us / (bareUs[round] as number))),
      from,
    },
    { what: '  per viewer and picture, the service', unit: 'µs', ...spread(oursUs), from },
    { what: '  per viewer and picture, the bare loop', unit: 'µs', ...spread(bareUs), from },
    { what: '  what the worst-off of 32 viewers got', unit: 'fps', ...spread(least), from },
  ]
}

/** CPU of one more picture to one more viewer, µs. */
const perPicture = (many: Show, one: Show): number => (many.cpuUs - one.cpuUs) / (many.pictures - one.pictures)

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
