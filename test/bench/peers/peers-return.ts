// How soon there is a link again after a device was killed and listens again, at the same address. It is away for times
// of all lengths.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { epochUs } from '../../../native/clock/system.ts'
import { startDaemon } from '../lab/daemon.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { linkTo } from '../lab/linked.ts'
import { rowsOver, worst } from '../lab/row.ts'

const RETURNS = 12
const AWAY_MS = [0, 700, 2_000, 5_000]
const STEADY_MS = 1_000 // before it goes again
const LIMIT_MS = 30_000
const PEERS = new URL('simulated-peers.ts', import.meta.url).pathname

export const returningPeer: Measurement = async (lab) => {
  const receiver = await startDaemon(lab, { dataDir: join(lab.folder, 'returns'), nt4: 'off' })
  let { helper, origin } = await listening(lab, '0')
  await linkTo(receiver, [origin])
  const events = new WebSocket(`${receiver.url.replace('http', 'ws')}/v1/events`, { perMessageDeflate: false })
  lab.defer(() => events.terminate())
  await once(events, 'open')
  const told = { linkedUs: 0 }
  events.on('message', (message) => {
    const { kind, data } = JSON.parse(String(message)) as { kind: string; data?: { status?: string } }
    if (kind === 'peer_health' && data?.status === 'linked') told.linkedUs = epochUs()
  })
  const { port } = new URL(origin)
  const seconds: number[] = []
  for (let n = 0; n < RETURNS; n++) {
    await delay(STEADY_MS)
    told.linkedUs = 0
    helper.kill('SIGKILL')
    await helper.ended
    await delay(AWAY_MS[n % AWAY_MS.length])
    const back = await listening(lab, port)
    helper = back.helper
    for (const endMs = performance.now() + LIMIT_MS; told.linkedUs === 0; await delay(10))
      if (performance.now() > endMs) throw new Error('there is no link again')
    seconds.push((told.linkedUs - back.atUs) / 1e6)
    lab.say(`back after ${seconds.at(-1)?.toFixed(2)} s`)
  }
  const row = rowsOver(
    seconds,
    `${RETURNS} returns, away for ${AWAY_MS.map((ms) => ms / 1000).join(', ')} s and the time of a start`,
  )
  const itself = (one: number) => one
  return [
    worst(row('a peer listens again: until there is a link, at worst', 's', itself, { atMost: 2 })),
    row('  the same in the median', 's', itself, { atMost: 2 }),
  ]
}

/** A device at a port, and when it began to listen. */
const listening = async (lab: Lab, port: string): Promise<{ helper: Helper; origin: string; atUs: number }> => {
  const helper = start(lab, process.execPath, [PEERS, '1', port])
  const { origins, at_us } = JSON.parse(await helper.line()) as { origins: [string]; at_us: number }
  return { helper, origin: origins[0], atUs: at_us }
}
