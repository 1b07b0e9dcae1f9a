// What a flood costs others: each flood of each kind of socket for half a second, beside half a second without one,
// turn about. A robot has its heartbeats and asks for the time every 5 ms, somebody calls the API every 20 ms; whoever
// waited longest is compared with whoever waited longest without a flood.
import { join } from 'node:path'
import {
  beginFlood,
  FLOODED_SOCKETS,
  type FloodCell,
  Flooder,
  floodsOn,
  Judge,
  type Send,
  waitedMs,
} from '../../support/api/flood-table.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { addStream, type Daemon, startDaemon } from '../lab/daemon.ts'
import type { Measurement } from '../lab/lab.ts'
import { median, type Row } from '../lab/row.ts'
import { SMALL } from '../lab/small-pictures.ts'

const ROUNDS = 3
const SPAN_MS = 500
const BOUND_MS = 50
const source = { backend: 'synthetic', motion: 'orbit', fps: 30, ...SMALL } as const

export const floods: Measurement = async (lab) => {
  const [tlsPort, nt4Port] = [await freePort(), await freePort()]
  const [dataDir, otherDir] = [join(lab.folder, 'data'), join(lab.folder, 'other')]
  const env = { VEDETTE_TLS: `127.0.0.1:${tlsPort}` }
  const daemon = await startDaemon(lab, { dataDir, nt4: `serve:127.0.0.1:${nt4Port}`, env })
  const other = await startDaemon(lab, { dataDir: otherDir, nt4: '127.0.0.1:1' })
  const [resultsPort, pushPort] = [await freePort(), await freePort()]
  await addStream(daemon, { id: 'front', source, extcam: { results_port: resultsPort, push_port: pushPort } })
  const at = { httpPort: portOf(daemon), nt4Port, tlsPort, resultsPort, pushPort }
  const [robot, caller] = [new Judge(at), new Judge({ httpPort: portOf(other) })]
  const flooder = new Flooder()
  lab.defer(() => flooder.end())
  lab.defer(() => {
    robot.end()
    caller.end()
  })
  await robot.begin()
  const [send, linked] = [sendTo(daemon), sendTo(other)]

  const rows: Row[] = []
  for (const socket of FLOODED_SOCKETS) {
    const judge = socket.comes === 'robot' ? caller : robot
    const cells: { readonly flood: string; readonly waits: readonly number[] }[] = []
    for (const flood of floodsOn(socket))
      cells.push({ flood, waits: await waitsIn(judge, flooder, { socket, flood, at, send, linked }) })
    const worst = cells.reduce((one, each) => (median(each.waits) > median(one.waits) ? each : one))
    lab.say(
      `floods of ${socket.name}: ${cells.map(({ flood, waits }) => `${flood} ${median(waits).toFixed(0)}`).join(', ')}`,
    )
    rows.push({
      what: `flooding ${socket.name}: how much longer others wait, worst of ${cells.length} floods (${worst.flood})`,
      unit: 'ms',
      figure: { atMost: BOUND_MS },
      measured: median(worst.waits),
      low: Math.min(...worst.waits),
      high: Math.max(...worst.waits),
      from: `${ROUNDS} rounds of ${SPAN_MS / 1_000} s`,
    })
  }
  return rows
}

const waitsIn = async (judge: Judge, flooder: Flooder, cell: FloodCell): Promise<readonly number[]> => {
  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await judge.felt(SPAN_MS)
    const end = await beginFlood(flooder, cell)
    waits.push(waitedMs(await judge.felt(SPAN_MS), quiet))
    await end()
  }
  return waits
}

const portOf = ({ url }: Daemon): number => Number(new URL(url).port)

const sendTo =
  ({ url }: Daemon): Send =>
  async (method, path, body) => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, ...json })
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
