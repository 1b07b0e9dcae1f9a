// What another viewer of the live picture costs, against a bare loop of send() with the same bytes to the same readers. The picture is a camera's own
// JPEG, passed through. The price of one viewer is the difference of 32 and 1, divided by 31: what the service does anyway is not in it.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtProgram } from './build.ts'
import { addStream, type Daemon, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs } from './processes.ts'
import { type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const ROUNDS = 8
const SECONDS = 5
const FPS = 30
const MANY = 32
const ID = 'camera'

/** CPU of a server, µs per second, and what its viewers got. */
interface Show {
  readonly cpuUs: number
  readonly leastParts: number
  readonly bytes: number
}

export const viewers: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: 10 }, pose: MOUNT } as const
  const [picture] = (await renderJpegs(lab, { manifest: synthetic, name: 'picture', count: 1 })) as [string]
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data') })
  await addStream(daemon, { id: ID, internal: true, source: { backend: 'images', path: picture, fps: FPS } })
  const oursUs: number[] = []
  const bareUs: number[] = []
  const got: number[] = []
  await ours(lab, daemon, MANY) // warm
  while (oursUs.length < ROUNDS) {
    const [many, one] = [await ours(lab, daemon, MANY), await ours(lab, daemon, 1)]
    const [bareMany, bareOne] = [await bare(lab, picture, MANY), await bare(lab, picture, 1)]
    oursUs.push((many.cpuUs - one.cpuUs) / (MANY - 1))
    bareUs.push((bareMany.cpuUs - bareOne.cpuUs) / (MANY - 1))
    got.push(many.leastParts / bareMany.leastParts)
    lab.say(
      `${(oursUs.at(-1) as number).toFixed(0)} against ${(bareUs.at(-1) as number).toFixed(0)} µs per viewer and second`,
    )
  }
  const from = `${ROUNDS} rounds of ${SECONDS} s`
  const cost = (what: string, us: readonly number[]): Row => ({
    what,
    unit: 'µs',
    ...spread(us.map((each) => each / FPS)),
    from,
  })
  return [
    {
      what: 'CPU per MJPEG viewer at 30 fps against a bare send loop',
      unit: '',
      figure: { atMost: 1.5 },
      ...spread(oursUs.map((us, round) => us / (bareUs[round] as number))),
      from,
    },
    cost('  per viewer and picture, the service', oursUs),
    cost('  per viewer and picture, the bare loop', bareUs),
    { what: '  pictures that the worst-off viewer got, service against loop', unit: '', ...spread(got), from },
  ]
}

/** All threads of the control process. The engine hands over each picture once, however many watch. */
const ours = (lab: Lab, daemon: Daemon, count: number): Promise<Show> =>
  watch(lab, new URL(daemon.url).port, `/v1/streams/${ID}/preview`, count, () => processCpuUs(daemon.pid))

const bare = async (lab: Lab, picture: string, count: number): Promise<Show> => {
  const words = ['--fps', String(FPS), '--clients', String(count), '--frames', String(1_000_000)]
  const server = start(lab, await builtProgram('send'), [picture, ...words])
  const show = await watch(lab, await server.line(), '/', count, () => processCpuUs(server.pid))
  await server.stop()
  return show
}

const SETTLE_MS = 500

const watch = async (lab: Lab, port: string, path: string, count: number, cpuUs: () => number): Promise<Show> => {
  const seconds = SECONDS + SETTLE_MS / 1000 + 0.5
  const readers = start(lab, await builtProgram('read'), [port, path, String(count), String(seconds)])
  await readers.line()
  await delay(SETTLE_MS)
  const [beforeUs, before] = [cpuUs(), performance.now()]
  await delay(SECONDS * 1000)
  const perSecond = (cpuUs() - beforeUs) / ((performance.now() - before) / 1000)
  const { bytes, least_parts } = JSON.parse(await readers.line()) as { bytes: number; least_parts: number }
  await readers.ended
  return { cpuUs: perSecond, leastParts: least_parts, bytes }
}
