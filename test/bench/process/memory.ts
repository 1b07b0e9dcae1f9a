// What the demo holds of the machine's memory after ten minutes, and after the first of them: the control process, and
// the engine of a 1280x800 camera. VEDETTE_BENCH_MINUTES: another time, for trying.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Daemon, metrics, startDaemon } from '../lab/daemon.ts'
import type { Measurement } from '../lab/lab.ts'
import { pssMb, rssMb } from '../lab/processes.ts'
import { spread } from '../lab/row.ts'

const STARTS = 3 // at the same time
const MINUTES = Number(process.env.VEDETTE_BENCH_MINUTES ?? 10)
const MINUTE_MS = 60_000

export const memory: Measurement = async (lab) => {
  const daemons: Daemon[] = []
  while (daemons.length < STARTS) {
    daemons.push(await startDaemon(lab, { dataDir: join(lab.folder, `${daemons.length}`), demo: true }))
  }
  await delay(MINUTE_MS)
  const early = daemons.map(({ pid }) => rssMb(pid))
  await delay((MINUTES - 1) * MINUTE_MS)
  const control = daemons.map(({ pid }) => rssMb(pid))
  const engines = await Promise.all(daemons.map((daemon) => metrics(daemon, 'demo')))
  const from = `${STARTS} services, after ${MINUTES} minutes`
  return [
    { what: 'memory of the control process (RSS)', unit: 'MB', figure: { atMost: 120 }, ...spread(control), from },
    { what: '  after a minute', unit: 'MB', ...spread(early), from: `${STARTS} services` },
    {
      what: 'memory of an engine at 1280x800 (PSS)',
      unit: 'MB',
      figure: { atMost: 60 },
      ...spread(engines.map(({ engine_pid }) => pssMb(engine_pid))),
      from,
    },
  ]
}
