// What many peers cost that do nothing: memory, and CPU above that of the same service without any, against a bare process with as many WebSockets and pings. All of it in the same seconds.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENTS_PATH } from '../../machines/peers/heard.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { type Measurement, start } from './lab.ts'
import { linkTo } from './linked.ts'
import { rssMb } from './processes.ts'
import { agreed, rowsOver } from './row.ts'
import { usedPerSecond } from './usage.ts'

const ROUNDS = Number(process.env.VEDETTE_BENCH_ROUNDS ?? 6)
const ROUND_MS = 20_000
const SETTLE_MS = 15_000
const MOST = 50
const script = (name: string): string => new URL(name, import.meta.url).pathname

/** Of the services without any, with half of them, and with all; and of the bare process: µs in a second. mb: what all take above none. */
interface Round {
  readonly none: number
  readonly half: number
  readonly all: number
  readonly bare: number
  readonly mb: number
}

export const manyPeers: Measurement = async (lab) => {
  const simulated = start(lab, process.execPath, [script('simulated-peers.ts'), String(MOST)])
  const { origins } = JSON.parse(await simulated.line()) as { origins: readonly string[] }
  const daemonWith = async (count: number): Promise<Daemon> => {
    const daemon = await startDaemon(lab, { dataDir: join(lab.folder, `with-${count}`), nt4: 'off' })
    await linkTo(daemon, origins.slice(0, count))
    return daemon
  }
  const [none, half, all] = [await daemonWith(0), await daemonWith(MOST / 2), await daemonWith(MOST)]
  const urls = origins.map((origin) => `${origin.replace('http', 'ws')}${EVENTS_PATH}`)
  const bare = start(lab, process.execPath, [script('peers-pings.ts'), ...urls])
  await bare.line()
  await delay(SETTLE_MS)
  const rounds: Round[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const used = await Promise.all(
      [none, half, all, bare].map(({ pid }) => usedPerSecond(pid, () => delay(ROUND_MS)).then(({ allUs }) => allUs)),
    )
    const [ofNone, ofHalf, ofAll, ofBare] = used as [number, number, number, number]
    rounds.push({ none: ofNone, half: ofHalf, all: ofAll, bare: ofBare, mb: rssMb(all.pid) - rssMb(none.pid) })
    lab.say(`${((ofAll - ofNone) / ofBare).toFixed(2)} of the bare process, ${rounds.at(-1)?.mb.toFixed(1)} MB`)
  }
  const row = rowsOver(
    rounds,
    `${rounds.length} rounds of ${ROUND_MS / 1000} s, three services and the bare process at once`,
  )
  const MS = 1e-3
  return [
    row(`memory of ${MOST} peers (RSS above a service without any)`, 'MB', ({ mb }) => mb, { atMost: 150 }),
    agreed(
      row(
        `CPU of ${MOST} idle peers above none, against a bare process with ${MOST} WebSockets and pings`,
        '',
        (round) => (round.all - round.none) / round.bare,
        { atMost: 2 },
      ),
    ),
    agreed(
      row(
        `  of one among ${MOST}, against one among ${MOST / 2}`,
        '',
        (round) => (round.all - round.none) / (2 * (round.half - round.none)),
        {
          atMost: 1.2,
        },
      ),
    ),
    row('  ours in a second', 'ms', (round) => (round.all - round.none) * MS),
    row('  the bare process', 'ms', (round) => round.bare * MS),
    row('  the service without any', 'ms', (round) => round.none * MS),
  ]
}
