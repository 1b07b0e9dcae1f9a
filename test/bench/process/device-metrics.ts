// What it costs to ask once a second how the device does: CPU of all threads of the service, against one that nobody
// asks, and one that is asked for its health.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addStream, type Daemon, startDaemon } from '../lab/daemon.ts'
import type { Measurement } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { rowsOver } from '../lab/row.ts'
import { SMALL } from '../lab/small-pictures.ts'

const ROUNDS = 8
const ROUND_MS = 10_000
const ASK_EVERY_MS = 1_000
const SETTLE_MS = 8_000
const HUNDREDTH_OF_A_CORE_MS = 10
const source = { backend: 'synthetic', motion: 'orbit', fps: 5, ...SMALL } as const

export const deviceMetrics: Measurement = async (lab) => {
  const start = async (name: string) => {
    const daemon = await startDaemon(lab, { dataDir: join(lab.folder, name), nt4: 'off' })
    await addStream(daemon, { id: 'front', source }) // so that there is an engine to look at
    return daemon
  }
  const [asked, health, quiet] = [await start('asked'), await start('health'), await start('quiet')]
  const askers = [askEvery(asked, '/v1/device/metrics'), askEvery(health, '/v1/health')]
  lab.defer(() => askers.forEach(clearInterval))
  await delay(SETTLE_MS)
  const daemons: readonly Daemon[] = [asked, health, quiet]
  const rounds: { readonly asked: number; readonly health: number; readonly quiet: number }[] = []
  while (rounds.length < ROUNDS) {
    const before = daemons.map(({ pid }) => processCpuUs(pid))
    await delay(ROUND_MS)
    const [a, h, q] = daemons.map(({ pid }, n) => (processCpuUs(pid) - (before[n] as number)) / ROUND_MS)
    rounds.push({ asked: a as number, health: h as number, quiet: q as number })
    lab.say(`${[a, h, q].map((ms) => ms?.toFixed(2)).join(', ')} ms per second`)
  }
  const row = rowsOver(rounds, `${ROUNDS} rounds of ${ROUND_MS / 1_000} s, three services side by side`)
  return [
    row(
      'CPU of asking once a second how the device does, above none, per second',
      'ms',
      (one) => one.asked - one.quiet,
      {
        atMost: HUNDREDTH_OF_A_CORE_MS,
      },
    ),
    row('  of that: what asking for the health costs', 'ms', (one) => one.health - one.quiet),
    row('  a service that nobody asks', 'ms', (one) => one.quiet),
  ]
}

const askEvery = ({ url }: Daemon, path: string): NodeJS.Timeout =>
  setInterval(() => void fetch(url + path).then((answer) => answer.arrayBuffer()), ASK_EVERY_MS)
