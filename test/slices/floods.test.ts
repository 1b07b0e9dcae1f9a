// Whatever anybody sends, on whichever socket: it costs him his connection, and nobody else more than a moment. The
// judges are the heartbeats of a robot and calls over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  beginFlood,
  FLOODED_SOCKETS,
  Flooder,
  floodsOn,
  Judge,
  type Send,
  waitedMs,
} from '../support/api/flood-table.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'

const BOUND_MS = 50
const WINDOW_MS = 250
const QUIET_MS = 150
/**
 * The machine has other work: then somebody waits now and then without a flood, too, and not in each of so many
 * windows.
 */
const WINDOWS = 8

const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 30 } as const

test('whoever floods a socket keeps nobody else waiting', async (t) => {
  const tlsPort = await freePort()
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0', tls: `127.0.0.1:${tlsPort}` })
  const other = await site(t).start({ nt4: '127.0.0.1:1' })
  const [resultsPort, pushPort] = [await freePort(), await freePort()]
  await daemon.addStream({ id: 'front', source, extcam: { results_port: resultsPort, push_port: pushPort } })
  const at = { httpPort: portOf(daemon), nt4Port: daemon.nt4Port, tlsPort, resultsPort, pushPort }
  const [send, linked] = [sendTo(daemon), sendTo(other)]
  const [robot, caller] = [new Judge(at), new Judge({ httpPort: portOf(other) })]
  const flooder = new Flooder()
  t.after(async () => {
    robot.end()
    caller.end()
    await flooder.end()
  })
  await robot.begin()

  for (const socket of FLOODED_SOCKETS)
    for (const flood of socket.floods ?? floodsOn(socket))
      await t.test(`${flood}, to ${socket.name}`, async () => {
        const judge = socket.comes === 'robot' ? caller : robot
        const quiet = await judge.felt(QUIET_MS)
        const end = await beginFlood(flooder, { socket, flood, at, send, linked })
        const waits: number[] = []

        while (waits.length < WINDOWS && !waits.some((ms) => ms <= BOUND_MS))
          waits.push(waitedMs(await judge.felt(WINDOW_MS), quiet))

        await end()
        assert.ok(Math.min(...waits) <= BOUND_MS, `others waited for ${waits.map(Math.round).join(', ')} ms longer`)
        assert.ok(robot.isLinked)
      })
})

const portOf = ({ url }: Daemon): number => Number(new URL(url).port)

const sendTo =
  (daemon: Daemon): Send =>
  async (method, path, body) =>
    (await daemon.send(method, path, body)).body
