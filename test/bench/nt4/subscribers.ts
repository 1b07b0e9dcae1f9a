// What a hundred dashboards cost our NT4 server that are subscribed to every change of all keys of a table, against
// `ws` that sends the same messages to as many of the same dashboards, turn about; and whether everybody gets every
// value, in order. Of both it is what they use above one of the same kind that has no clients in the same seconds: what
// the server reads, from another process, which here is the benchmark's, and what the other one makes up, are no
// client's. Pings are: the other one pings as often, and by turns not at all.

import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import { madeUp, TABLE_TOPICS } from './crowd-table.ts'
import { sessionWith } from './session.ts'
import type { Heard } from './subscriber-crowd.ts'

const CLIENTS = 100
const PROCESSES = 4
const FPS = 10 // the clients need more of the machine than the server
const FRAMES = 50 // of a round
const ROUNDS = 8
const WARM_UP_ROUNDS = 3
const PING_MS = 200 // as the embedded server
const SETTLE_MS = 1_500 // until the last of them has read what it was sent
const ROBOT = new URL('robot.ts', import.meta.url).pathname
const CROWD = new URL('subscriber-crowd.ts', import.meta.url).pathname
const SENDER = new URL('bare-sender.ts', import.meta.url).pathname

export const subscribers: Measurement = async (lab) => {
  const [ours, bare] = [await embedded(lab), await bareSenders(lab)]
  const mute = { ...bare, send: () => bare.send(0) }
  const turns: Turn[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const idleUs = (await usedMeanwhile(ours, () => delay((1000 * FRAMES) / FPS))) / FRAMES
    const turn = { ours: await sentBy(ours), bare: await sentBy(bare), mute: await sentBy(mute), idleUs }
    if (round >= 0) turns.push(turn)
    lab.say(
      oneLine`
        of a client and frame ${said(turn.ours)}; bare ${said(turn.bare)}; without pings ${said(turn.mute)}; with
        nothing to send ${turn.idleUs.toFixed(1)} µs
      `,
    )
  }
  return rowsOf(turns)
}

/**
 * A server with all subscribers, and one of the same kind that is told the same and has none. send: all frames of a
 * round.
 */
interface Side {
  readonly watched: Helper
  readonly alone: Helper
  readonly crowd: readonly Helper[]
  readonly send: () => Promise<unknown>
}

const embedded = async (lab: Lab): Promise<Side> => {
  const [watched, alone] = [start(lab, process.execPath, [ROBOT]), start(lab, process.execPath, [ROBOT])]
  const ports = [await watched.line(), await alone.line()] as const
  const tables = await Promise.all(ports.map(async (port) => new Table(await sessionWith(lab, Number(port), 'camera'))))
  const publish = () => {
    for (const table of tables) table.write()
  }
  publish()
  const send = async () => {
    for (let n = 0; n < FRAMES; n++) {
      publish()
      await delay(1000 / FPS)
    }
  }
  return { watched, alone, crowd: await crowdOf(lab, ports[0]), send }
}

const bareSenders = async (lab: Lab) => {
  const [watched, alone] = [start(lab, process.execPath, [SENDER]), start(lab, process.execPath, [SENDER])]
  const [port] = [await watched.line(), await alone.line()]
  const send = (pingMs = PING_MS) =>
    Promise.all(
      [watched, alone].map((sender) => {
        sender.tell(`${FPS} ${FRAMES} ${pingMs}`)
        return sender.line()
      }),
    )
  return { watched, alone, crowd: await crowdOf(lab, port), send }
}

const crowdOf = async (lab: Lab, port: string): Promise<readonly Helper[]> => {
  const words = [CROWD, port, String(CLIENTS / PROCESSES)]
  const crowd = Array.from({ length: PROCESSES }, () => start(lab, process.execPath, words))
  for (const helper of crowd) await helper.line()
  return crowd
}

/** All keys of a table, written with the number of the frame in each value. */
class Table {
  readonly #session: Nt4Session
  readonly #handles: readonly number[]
  #frame = 0

  constructor(session: Nt4Session) {
    this.#session = session
    this.#handles = TABLE_TOPICS.map(({ name, type }) => session.publish(name, type))
  }

  write(): void {
    this.#frame += 1
    const values = TABLE_TOPICS.map((topic, n) => [this.#handles[n] as number, madeUp(topic, this.#frame)] as const)
    if (!this.#session.write(values)) throw new Error('the server does not take what is published')
  }
}

/** One round of a side. */
interface Sent {
  /** Of one message to one client; whoever was cut off got none, and costs nothing. */
  readonly us: number
  /** That came to one, in the mean. */
  readonly messages: number
  /** That came to one, in the mean. */
  readonly bytes: number
  /** Values, of all. */
  readonly missing: number
  /** Values, of all. */
  readonly disordered: number
}

interface Turn {
  readonly ours: Sent
  readonly bare: Sent
  /** Bare ws that does not ping. */
  readonly mute: Sent
  /** Of a client of ours in the time of one frame, when nothing is published. */
  readonly idleUs: number
}

const WANTED = FRAMES * TABLE_TOPICS.length

const sentBy = async (side: Side): Promise<Sent> => {
  await heardBy(side.crowd)
  const us = await usedMeanwhile(side, side.send)
  await delay(SETTLE_MS)
  const heard = await heardBy(side.crowd)
  if (heard.length !== CLIENTS) throw new Error(`there are ${heard.length} subscribers`)
  const sum = (of: (one: Heard) => number) => heard.reduce((all, one) => all + of(one), 0)
  return {
    us: (us * CLIENTS) / sum(({ messages }) => messages),
    messages: sum(({ messages }) => messages) / CLIENTS,
    bytes: sum(({ bytes }) => bytes) / CLIENTS,
    missing: sum(({ values }) => Math.abs(WANTED - values)),
    disordered: sum(({ disordered }) => disordered),
  }
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

/** µs of a client: what a server with subscribers uses above the one without. */
const usedMeanwhile = async ({ watched, alone }: Side, wait: () => Promise<unknown>): Promise<number> => {
  const look = () => processCpuUs(watched.pid) - processCpuUs(alone.pid)
  const before = look()
  await wait()
  return (look() - before) / CLIENTS
}

const said = ({ us, messages, bytes, missing, disordered }: Sent): string =>
  oneLine`
    ${us.toFixed(1)} µs, ${messages.toFixed(1)} messages, ${bytes.toFixed(0)} bytes, of all ${missing} values missing,
    ${disordered} out of order
  `

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${FRAMES} frames at ${FPS} fps`)
  const summed = (what: string, of: (turn: Turn) => number): Row => ({
    ...row(what, '', of, { atMost: 0 }),
    measured: turns.reduce((all, turn) => all + of(turn), 0),
  })
  return [
    row(
      oneLine`
        CPU of the embedded server per client, ${CLIENTS} that read all keys, against bare ws with the same messages and
        pings
      `,
      '',
      ({ ours, bare }) => ours.us / bare.us,
      { atMost: 1.2 },
    ),
    row('  against bare ws that does not ping', '', ({ ours, mute }) => ours.us / mute.us),
    row('  the server, per client and frame', 'µs', ({ ours }) => ours.us),
    row('  bare ws', 'µs', ({ bare }) => bare.us),
    row('  bare ws that does not ping', 'µs', ({ mute }) => mute.us),
    row('  the server when nothing is published, in as much time', 'µs', ({ idleUs }) => idleUs),
    row('  messages that a client gets, against bare ws', '', ({ ours, bare }) => ours.messages / bare.messages),
    row('  bytes of them, against bare ws', '', ({ ours, bare }) => ours.bytes / bare.bytes),
    summed(`  values that somebody does not get, of ${turns.length * WANTED * CLIENTS}`, ({ ours }) => ours.missing),
    summed('  values out of order', ({ ours }) => ours.disordered),
    summed('  values of bare ws that did not come', ({ bare, mute }) => bare.missing + mute.missing),
  ]
}
