// How soon the robot has our table again when its server comes back on the same port, and what of the network that
// takes; and how soon we notice that a server has stopped without closing anything. Turn about the server is killed,
// and stopped and then killed.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { type Random, seeded } from '../../support/engine/random-graphs.ts'
import { arrival } from '../../support/until.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { median, type Row, rowsOver, worst } from '../lab/row.ts'

const ROUNDS = 16
const STEADY_FROM = 2 // the second after which everything is as it stays
const SECONDS = 8
const LOOK_MS = 10
const AWAY_MS = { least: 200, most: 4_000 } // so that it comes back at any moment between two calls
const LIMIT_MS = 20_000
const TABLE = 'limelight'
const SIZE = { width_px: 640, height_px: 480 }
const ROBOT = new URL('returning-robot.ts', import.meta.url).pathname

export const robotReturns: Measurement = async (lab) => {
  const random = seeded(9)
  let robot = await startRobot(lab, '0')
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: `127.0.0.1:${robot.port}` })
  await addStream(daemon, { id: 'front', source: { backend: 'synthetic', motion: 'orbit', fps: 30, ...SIZE } })
  await robot.back()
  await delay(SECONDS * 1000)
  const turns: Turn[] = []
  while (turns.length < ROUNDS) {
    const isStopped = turns.length % 2 === 1
    const noticedMs = isStopped ? await noticed(daemon, robot) : Number.NaN
    robot.kill('SIGKILL')
    await robot.ended
    await delay(away(random))
    robot = await startRobot(lab, robot.port)
    const backMs = await robot.back()
    await delay(SECONDS * 1000)
    const seconds = await robot.seconds()
    const steady = seconds.slice(STEADY_FROM)
    if (steady.length < SECONDS - STEADY_FROM - 1 || Math.min(...steady) === 0)
      throw new Error(`the robot counted ${seconds.join(', ')} bytes in the seconds after its return`)
    const turn = { isStopped, backMs, noticedMs, first: seconds[0] as number, steady: median(steady) }
    turns.push(turn)
    lab.say(
      oneLine`
        ${isStopped ? `noticed after ${noticedMs.toFixed(0)} ms, ` : ''}back after ${backMs.toFixed(0)} ms,
        ${turn.first} bytes in the first second, then ${turn.steady}
      `,
    )
  }
  return rowsOf(turns)
}

interface Turn {
  readonly isStopped: boolean
  readonly backMs: number
  /** Of a server that was stopped. */
  readonly noticedMs: number
  /** Bytes per second. */
  readonly first: number
  /** Bytes per second. */
  readonly steady: number
}

const away = (random: Random): number => AWAY_MS.least + random(AWAY_MS.most - AWAY_MS.least)

interface Robot extends Helper {
  readonly port: string
  /** From its listening to the first heartbeat, ms. */
  readonly back: () => Promise<number>
  readonly seconds: () => Promise<readonly number[]>
}

const startRobot = async (lab: Lab, port: string): Promise<Robot> => {
  const robot = start(lab, process.execPath, [ROBOT, port, TABLE])
  const next = async <Said>(): Promise<Said> =>
    JSON.parse(await arrival('a word of the robot', robot.line(), undefined, LIMIT_MS)) as Said
  const said = await next<{ port: number }>()
  return {
    ...robot,
    port: String(said.port),
    back: async () => (await next<{ ms: number }>()).ms,
    seconds: async () => {
      robot.tell('')
      return (await next<{ seconds: number[] }>()).seconds
    },
  }
}

/** Stops the server, and says how many ms later we say that there is no link. */
const noticed = async ({ url }: Daemon, robot: Robot): Promise<number> => {
  const connected = async () =>
    (await getJson<{ status: { connected: boolean } }>(`${url}/v1/device/nt4`)).status.connected
  if (!(await connected())) throw new Error('there is no link whose loss could be noticed')
  const startMs = performance.now()
  robot.kill('SIGSTOP')
  while (await connected()) {
    if (performance.now() - startMs > LIMIT_MS) throw new Error('that the server has stopped is never noticed')
    await delay(LOOK_MS)
  }
  return performance.now() - startMs
}

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const [killed, stopped] = [turns.filter((turn) => !turn.isStopped), turns.filter((turn) => turn.isStopped)]
  const rounds = `${turns.length} returns, ${stopped.length} of them of a server that was stopped`
  const [row, rowOfKilled, rowOfStopped] = [
    rowsOver(turns, rounds),
    rowsOver(killed, `${killed.length} returns`),
    rowsOver(stopped, `${stopped.length} stops`),
  ]
  const inSeconds = ({ backMs }: Turn) => backMs / 1000
  return [
    worst(
      row("the robot's server listens again: to the first heartbeat of our table, at worst", 's', inSeconds, {
        atMost: 1.5,
      }),
    ),
    row('  in the median', 's', inSeconds),
    rowOfKilled('  of one that was killed', 's', inSeconds),
    rowOfStopped('  of one that was stopped and killed', 's', inSeconds),
    worst(
      row(
        '  bytes of the first second, both ways, against those of a steady one, at worst',
        '',
        ({ first, steady }) => first / steady,
        { atMost: 2 },
      ),
    ),
    row('  a steady second', 'kB', ({ steady }) => steady / 1000),
    worst(
      rowOfStopped(
        'a server that stops without closing anything: until there is no link, at worst',
        's',
        ({ noticedMs }) => noticedMs / 1000,
        { atMost: 2 },
      ),
    ),
  ]
}
