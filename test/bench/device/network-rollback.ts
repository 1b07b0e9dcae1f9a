// Changes of the network that cut off whoever ordered them: whether the device is back at its old address after the
// limit. A real NetworkManager in a network of its own; in each third change nobody is there to undo it, the service
// undoes it, or NetworkManager is killed while it is tried.
import * as Effect from 'effect/Effect'
import type { NetworkChange } from '../../../machines/network/change.ts'
import { givenAddresses } from '../../../machines/network/interface.ts'
import { noNetworkManager, type OwnNetwork, ownNetworkManager } from '../../support/device/network-manager.ts'
import { until } from '../../support/until.ts'
import type { Measurement } from '../lab/lab.ts'
import { spread } from '../lab/row.ts'

const CHANGES = 50
const LIMIT_S = 2
const OLD = '10.99.0.5'
const MS = 1_000

const WAYS = ['nobody', 'service', 'manager killed'] as const
const run = Effect.runPromise

/** Settings that are wrong in one way or another, none of which the other end reaches. */
const wrong = (n: number): NetworkChange => {
  const bad: readonly Omit<NetworkChange, 'interface'>[] = [
    { method: 'static', address: `10.55.${n}.5`, prefix: 24, gateway: `10.55.${n}.4` },
    { method: 'static', address: `192.168.${n}.77`, prefix: 16 },
    { method: 'dhcp' },
    { method: 'static', address: `172.16.${n}.9`, prefix: 30, dns: [`172.16.${n}.10`] },
  ]
  return { interface: 'e0', ...(bad[n % bad.length] as Omit<NetworkChange, 'interface'>) }
}

export const networkRollback: Measurement = async (lab) => {
  if (noNetworkManager) {
    lab.say(noNetworkManager)
    return []
  }
  const own = await ownNetworkManager({ after: lab.defer })
  const settings = `type ethernet ifname e0 ipv4.method manual ipv4.addresses ${OLD}/16`
  await own.say(`nmcli connection add con-name foreign ${settings} && nmcli connection up foreign`)
  const delays: number[] = []
  const killed: number[] = []
  let back = 0
  for (let n = 0; n < CHANGES; n += 1) {
    const way = WAYS[n % WAYS.length] as (typeof WAYS)[number]
    const backMs = await play(own, wrong(n), way)
    if (backMs !== null) back += 1
    if (backMs !== null && way !== 'manager killed') delays.push(backMs - LIMIT_S * MS)
    if (backMs !== null && way === 'manager killed') killed.push(backMs)
    lab.say(`${n + 1} of ${CHANGES}, ${way}: ${backMs === null ? 'NOT BACK' : `back after ${backMs.toFixed(0)} ms`}`)
  }
  return [
    {
      what: `changes that cut off, of ${CHANGES}: back at the old address`,
      unit: '',
      from: `${CHANGES} changes`,
      figure: { atLeast: CHANGES },
      measured: back,
      low: back,
      high: back,
    },
    { what: '  how long after the limit', unit: 'ms', from: `${delays.length} changes`, ...spread(delays) },
    {
      what: '  NetworkManager killed, from when it is there again',
      unit: 'ms',
      from: `${killed.length} changes`,
      ...spread(killed),
    },
  ]
}

/** How long it took until the other end reached the old address again; null: it did not, or it was never cut off. */
const play = async (own: OwnNetwork, change: NetworkChange, way: (typeof WAYS)[number]): Promise<number | null> => {
  const { port } = own
  const prepared = await run(port.prepare(change))
  let began = performance.now()
  // on a busy machine it may be over before it was seen to be in force
  const checkpoint = await run(Effect.orElseSucceed(port.apply(change, prepared, LIMIT_S), () => null))
  const record = { change, prepared, checkpoint }
  const wasCutOff = !own.reaches(OLD)
  if (way === 'service') {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + LIMIT_S * MS - performance.now())))
    await run(port.undo(record))
  }
  if (way === 'manager killed') {
    const gone = run(port.whenGone(record))
    await own.kill()
    await gone
    await own.start()
    began = performance.now()
    await run(port.undo(record))
  }
  const isBack = async () => {
    const { interfaces } = await run(port.read)
    const cable = interfaces.find(({ name }) => name === 'e0')
    return cable !== undefined && givenAddresses(cable).some(({ address }) => address === OLD)
  }
  await until('the old address', isBack).catch(() => undefined)
  const backMs = performance.now() - began
  return wasCutOff && own.reaches(OLD) ? backMs : null
}
