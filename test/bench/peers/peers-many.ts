// What many peers cost that do nothing: memory, and CPU above that of the same service without any, against a bare
// process with as many WebSockets that pings all of them at the same moments, as this service does, and one that wakes
// up for each. All of it in the same seconds. Every peer pings all of them too, and is answered by all.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENTS_PATH } from '../../../machines/peers/peer-messages.ts'
import { type Daemon, startDaemon } from '../lab/daemon.ts'
import { type Measurement, start } from '../lab/lab.ts'
import { linkTo, statesOfLinks } from '../lab/linked.ts'
import { rssMb } from '../lab/processes.ts'
import { agreed, rowsOver } from '../lab/row.ts'
import { usedPerSecond } from '../lab/usage.ts'

const ROUNDS = Number(process.env.VEDETTE_BENCH_ROUNDS ?? 6)
const WARM_UP_ROUNDS = 1
const ROUND_MS = 30_000 // six pings: one more or less at its ends is no fifth
const SETTLE_MS = 5_000
const MAX = 50
const script = (name: string): string => new URL(name, import.meta.url).pathname

/**
 * Of the services without any, with half of them, and with all; and of the bare processes: µs in a second. mb: what all
 * take above none.
 */
interface Round {
  readonly none: number
  readonly half: number
  readonly all: number
  readonly bare: number
  readonly apart: number
  readonly mb: number
}

export const manyPeers: Measurement = async (lab) => {
  const simulated = start(lab, process.execPath, [script('simulated-peers.ts'), String(MAX)])
  const { origins } = JSON.parse(await simulated.line()) as { origins: readonly string[] }
  const daemonWith = async (count: number): Promise<Daemon> => {
    const daemon = await startDaemon(lab, { dataDir: join(lab.folder, `with-${count}`), nt4: 'off' })
    await linkTo(daemon, origins.slice(0, count))
    return daemon
  }
  const [none, half, all] = [await daemonWith(0), await daemonWith(MAX / 2), await daemonWith(MAX)]
  const urls = origins.map((origin) => `${origin.replace('http', 'ws')}${EVENTS_PATH}`)
  const bareOnes = ['together', 'apart'].map((how) =>
    start(lab, process.execPath, [script('peers-pings.ts'), how, ...urls]),
  )
  for (const each of bareOnes) await each.line()
  await delay(SETTLE_MS)
  const rounds: Round[] = []
  for (let n = -WARM_UP_ROUNDS; n < ROUNDS; n++) {
    const used = await Promise.all(
      [none, half, all, ...bareOnes].map(({ pid }) =>
        usedPerSecond(pid, () => delay(ROUND_MS)).then(({ allUs }) => allUs),
      ),
    )
    const [ofNone, ofHalf, ofAll, bare, apart] = used as [number, number, number, number, number]
    const round = { none: ofNone, half: ofHalf, all: ofAll, bare, apart, mb: rssMb(all.pid) - rssMb(none.pid) }
    if (n >= 0) rounds.push(round)
    lab.say(`${((ofAll - ofNone) / bare).toFixed(2)} of the bare process, ${round.mb.toFixed(1)} MB`)
  }
  for (const [daemon, count] of [
    [half, MAX / 2],
    [all, MAX],
  ] as const) {
    const lost = count - (await statesOfLinks(daemon)).filter((state) => state === 'linked').length
    if (lost > 0) throw new Error(`${lost} of ${count} links were lost while they were measured; there is no figure`)
  }
  const row = rowsOver(
    rounds,
    `${rounds.length} rounds of ${ROUND_MS / 1000} s, three services and two bare processes at once`,
  )
  const MS = 1e-3
  return [
    row(`memory of ${MAX} peers (RSS above a service without any)`, 'MB', ({ mb }) => mb, { atMost: 150 }),
    agreed(
      row(
        `CPU of ${MAX} idle peers above none, against a bare process with ${MAX} WebSockets that pings them together`,
        '',
        (round) => (round.all - round.none) / round.bare,
        { atMost: 2 },
      ),
    ),
    row('  against one that pings each at a time of its own', '', (round) => (round.all - round.none) / round.apart),
    agreed(
      row(
        `  of one among ${MAX}, against one among ${MAX / 2}`,
        '',
        (round) => (round.all - round.none) / (2 * (round.half - round.none)),
        {
          atMost: 1.2,
        },
      ),
    ),
    row('  ours in a second', 'ms', (round) => (round.all - round.none) * MS),
    row('  the bare process', 'ms', (round) => round.bare * MS),
    row('  the one that wakes up for each', 'ms', (round) => round.apart * MS),
    row('  the service without any', 'ms', (round) => round.none * MS),
  ]
}
