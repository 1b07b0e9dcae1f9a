// Whatever anybody sends, on whichever socket: it costs him his connection, and nobody else more than a moment. The judges are the heartbeats of a robot and calls over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Daemon, site } from '../support/daemon.ts'
import { type Felt, FLOODED_SOCKETS, type FloodedSocket, Flooder, floodsOn, Judge } from '../support/flood-table.ts'
import type { FloodName } from '../support/floods.ts'
import { freePort } from '../support/free-port.ts'

const BOUND_MS = 50
const WINDOW_MS = 250
const QUIET_MS = 150
/** The machine has other work: then somebody waits now and then without a flood, too, and not in each of so many windows. */
const WINDOWS = 8

const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 30 } as const

test('whoever floods a socket keeps nobody else waiting', async (t) => {
  const tlsPort = await freePort()
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0', tls: `127.0.0.1:${tlsPort}` })
  const linked = await site(t).start({ nt4: '127.0.0.1:1' })
  await daemon.addStream({ id: 'front', source })
  const at = { httpPort: portOf(daemon), nt4Port: daemon.nt4Port, tlsPort }
  const [robot, caller] = [new Judge(at), new Judge({ httpPort: portOf(linked) })]
  const flooder = new Flooder()
  t.after(async () => {
    robot.end()
    caller.end()
    await flooder.end()
  })
  await robot.begin()

  for (const socket of FLOODED_SOCKETS)
    for (const flood of floodsOn(socket))
      await t.test(`${flood}, to ${socket.name}`, async () => {
        const judge = socket.comes === 'robot' ? caller : robot
        const quiet = await judge.felt(QUIET_MS)
        const undo = await begin(flooder, { socket, flood, at, daemon, linked })
        const worst: Felt[] = []

        for (let n = 0; n < WINDOWS && !worst.some((felt) => isWithin(felt, quiet)); n += 1)
          worst.push(await judge.felt(WINDOW_MS))

        await flooder.order({})
        await undo()
        assert.ok(
          worst.some((felt) => isWithin(felt, quiet)),
          `felt ${shown([...worst, quiet])}, the last without a flood`,
        )
        assert.ok(robot.isLinked)
      })
})

interface Cell {
  readonly socket: FloodedSocket
  readonly flood: FloodName
  readonly at: Parameters<FloodedSocket['order']>[1]
  readonly daemon: Daemon
  readonly linked: Daemon
}

/** Has it flooded; returns the way to have it as it was. */
const begin = async (
  flooder: Flooder,
  { socket, flood, at, daemon, linked }: Cell,
): Promise<() => Promise<unknown>> => {
  const port = await flooder.order(socket.order(flood, at))
  if (socket.comes === 'peer') {
    const peer = { base_url: `http://127.0.0.1:${port}`, name: 'Flooder' }
    const { body } = await daemon.send<{ id: string }>('POST', '/v1/peers', peer)
    await flooder.begun()
    return () => daemon.send('DELETE', `/v1/peers/${body.id}`)
  }
  if (socket.comes === 'robot') await linked.send('POST', '/v1/device/nt4', { target: `127.0.0.1:${port}` })
  await flooder.begun()
  return async () => {}
}

const isWithin = (felt: Felt, quiet: Felt): boolean =>
  (['beat', 'clock', 'call'] as const).every((kind) => felt[kind] - quiet[kind] <= BOUND_MS)

const shown = (felt: readonly Felt[]): string =>
  felt.map(({ beat, clock, call }) => [beat, clock, call].map(Math.round).join('/')).join(', ')

const portOf = ({ url }: Daemon): number => Number(new URL(url).port)
