// What the demo holds of the machine's memory after a minute: the control process, and the engine of a 1280x800 camera.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { metrics, startDaemon } from './daemon.ts'
import type { Measurement } from './lab.ts'
import { pssMb, rssMb } from './processes.ts'
import { spread } from './row.ts'

const STARTS = 3
const AFTER_MS = 60_000

export const memory: Measurement = async (lab) => {
  const control: number[] = []
  const engine: number[] = []
  while (control.length < STARTS) {
    const daemon = await startDaemon(lab, { dataDir: join(lab.folder, `${control.length}`), demo: true })
    await delay(AFTER_MS)
    const { engine_pid } = await metrics(daemon, 'demo')
    control.push(rssMb(daemon.pid))
    engine.push(pssMb(engine_pid))
    lab.say(`control ${control.at(-1)?.toFixed(1)} MB, engine ${engine.at(-1)?.toFixed(1)} MB`)
    await daemon.stop()
  }
  const from = `${STARTS} starts, after 60 s`
  return [
    { what: 'memory of the control process (RSS)', unit: 'MB', figure: { atMost: 130 }, ...spread(control), from },
    { what: 'memory of an engine at 1280x800 (PSS)', unit: 'MB', figure: { atMost: 60 }, ...spread(engine), from },
  ]
}
