// What a hundred dashboards cost our NT4 server that are subscribed to every change of all keys of a table, above what it uses without them in the same seconds, against
// `ws` that sends as many bytes in as many messages to as many, turn about; and whether everybody gets every value, in order. What the server reads is published by
// another process, which here is the benchmark's: values with the number of their frame in them, of the lengths that two tags make.
import { setTimeout as delay } from 'node:timers/promises'
import { EXTCAM_TOPICS, type ExtcamTopic } from '../../machines/extcam/topics.ts'
import type { Nt4Session, Nt4Value } from '../../native/nt4/port.ts'
import { type Helper, type Lab, type Measurement, start } from './lab.ts'
import { bytesMoved, processCpuUs } from './processes.ts'
import { median, type Row, rowsOver } from './row.ts'
import { sessionWith } from './session.ts'

const CLIENTS = 100
const PROCESSES = 4
const FPS = 10 // the clients need more of the machine than the server
const FRAMES = 50 // of a round
const ROUNDS = 8
const WARM_UP_ROUNDS = 3
const SETTLE_MS = 1_500 // until the last of them has read what it was sent
const LONGEST_JSON = 3_000
const ARRAY = 18
const ROBOT = new URL('robot.ts', import.meta.url).pathname
const CROWD = new URL('subscriber-crowd.ts', import.meta.url).pathname
const SENDER = new URL('bare-sender.ts', import.meta.url).pathname

export const subscribers: Measurement = async (lab) => {
  const [watched, alone] = [start(lab, process.execPath, [ROBOT]), start(lab, process.execPath, [ROBOT])]
  const ports = [await watched.line(), await alone.line()] as const
  const tables = await Promise.all(ports.map(async (port) => new Table(await sessionWith(lab, Number(port), 'camera'))))
  const publish = () => {
    for (const table of tables) table.write()
  }
  publish()
  const crowd = await crowdOf(lab, ['ntcore', ports[0], String(EXTCAM_TOPICS.length)])
  const sender = start(lab, process.execPath, [SENDER])
  const bareCrowd = await crowdOf(lab, ['bare', await sender.line(), ''])

  const turns: Turn[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const idle = await meanwhile(watched, alone, () => delay((1000 * FRAMES) / FPS))
    await heardBy(crowd)
    const ours = await meanwhile(watched, alone, async () => {
      for (let n = 0; n < FRAMES; n++) {
        publish()
        await delay(1000 / FPS)
      }
    })
    await delay(SETTLE_MS)
    const heard = await heardBy(crowd)
    const bytes = Math.round(ours.written / CLIENTS / FRAMES)
    await heardBy(bareCrowd)
    const senderUs = processCpuUs(sender.pid)
    sender.tell(`${bytes} ${FPS} ${FRAMES}`)
    await sender.line()
    const bareUs = (processCpuUs(sender.pid) - senderUs) / CLIENTS
    await delay(SETTLE_MS)
    const bareHeard = await heardBy(bareCrowd)
    const wanted = FRAMES * EXTCAM_TOPICS.length
    const turn = {
      ...{ bytes, bareUs, oursUs: ours.us / CLIENTS, idleUs: idle.us / CLIENTS },
      missing: heard.reduce((sum, { values }) => sum + Math.abs(wanted - values), 0),
      disordered: heard.reduce((sum, { disordered }) => sum + disordered, 0),
      wanted: wanted * heard.length,
    }
    if (heard.length !== CLIENTS || bareHeard.some(({ values }) => values !== FRAMES))
      throw new Error(
        `there are ${heard.length} subscribers, and the bare ones got ${median(bareHeard.map(({ values }) => values))} of ${FRAMES} messages`,
      )
    if (round >= 0) turns.push(turn)
    lab.say(
      `${turn.oursUs.toFixed(0)} µs of a client in ${FRAMES} frames, bare ${turn.bareUs.toFixed(0)}, with nothing to send ${turn.idleUs.toFixed(0)}; ${turn.missing} of ${turn.wanted} values missing, ${turn.disordered} out of order`,
    )
  }
  return rowsOf(turns)
}

/** µs of a client in a round. bytes: of a frame for one client. idleUs: in as much time in which nothing is published. */
interface Turn {
  readonly bytes: number
  readonly oursUs: number
  readonly bareUs: number
  readonly idleUs: number
  readonly missing: number
  readonly disordered: number
  readonly wanted: number
}

/** All keys of a table, written with the number of the frame in each value. */
class Table {
  readonly #session: Nt4Session
  readonly #handles: readonly (readonly [handle: number, topic: ExtcamTopic])[]
  #frame = 0

  constructor(session: Nt4Session) {
    this.#session = session
    this.#handles = EXTCAM_TOPICS.map((topic) => [session.publish(`/limelight/${topic.key}`, topic.type), topic])
  }

  write(): void {
    this.#frame += 1
    const values = this.#handles.map(([handle, topic]) => [handle, madeUp(topic, this.#frame)] as const)
    if (!this.#session.write(values)) throw new Error('the server does not take what is published')
  }
}

const FILLED = ' '.padEnd(LONGEST_JSON, 'x')

const madeUp = ({ key, type }: ExtcamTopic, frame: number): Nt4Value => {
  if (type === 'double') return frame
  if (type === 'double[]') return new Float64Array(ARRAY).fill(frame)
  return key === 'json' ? `${frame}${FILLED}` : `${frame}`
}

/** What the server with subscribers uses and writes above the one without them meanwhile. */
const meanwhile = async (
  watched: Helper,
  alone: Helper,
  wait: () => Promise<unknown>,
): Promise<{ readonly us: number; readonly written: number }> => {
  const look = () => ({
    us: processCpuUs(watched.pid) - processCpuUs(alone.pid),
    written: bytesMoved(watched.pid).written - bytesMoved(alone.pid).written,
  })
  const before = look()
  await wait()
  const after = look()
  return { us: after.us - before.us, written: after.written - before.written }
}

interface Heard {
  readonly values: number
  readonly disordered: number
}

const crowdOf = async (
  lab: Lab,
  [kind, port, topics]: readonly [string, string, string],
): Promise<readonly Helper[]> => {
  const words = [CROWD, kind, port, String(CLIENTS / PROCESSES), topics]
  const crowd = Array.from({ length: PROCESSES }, () => start(lab, process.execPath, words))
  for (const helper of crowd) await helper.line()
  return crowd
}

/** What each of a crowd has heard since the last time. */
const heardBy = async (crowd: readonly Helper[]): Promise<readonly Heard[]> => {
  const all = await Promise.all(
    crowd.map(async (helper) => {
      helper.tell('')
      return JSON.parse(await helper.line()) as Heard[]
    }),
  )
  return all.flat()
}

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${FRAMES} frames at ${FPS} fps`)
  const sum = (of: (turn: Turn) => number) => turns.reduce((all, turn) => all + of(turn), 0)
  const whole = (row: Row, measured: number): Row => ({ ...row, measured })
  const bytes = median(turns.map((turn) => turn.bytes))
  const perFrame = (us: number) => us / FRAMES
  return [
    row(
      `CPU of the embedded server per client, ${CLIENTS} that read all keys, against bare ws with the same ${bytes} bytes a frame`,
      '',
      ({ oursUs, bareUs }) => oursUs / bareUs,
      { atMost: 1.2 },
    ),
    row(
      '  without what it uses for them when nothing is published',
      '',
      ({ oursUs, idleUs, bareUs }) => (oursUs - idleUs) / bareUs,
    ),
    row('  the server, per client and frame', 'µs', ({ oursUs }) => perFrame(oursUs)),
    row('  bare ws', 'µs', ({ bareUs }) => perFrame(bareUs)),
    row('  the server when nothing is published, in as much time', 'µs', ({ idleUs }) => perFrame(idleUs)),
    whole(
      row(`  values that somebody does not get, of ${sum(({ wanted }) => wanted)}`, '', ({ missing }) => missing, {
        atMost: 0,
      }),
      sum(({ missing }) => missing),
    ),
    whole(
      row('  values out of order', '', ({ disordered }) => disordered, { atMost: 0 }),
      sum(({ disordered }) => disordered),
    ),
  ]
}
