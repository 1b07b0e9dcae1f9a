// The way to a link, a step at a time: how far it is, and which step fails.
import type { Documents } from '../../api/client.ts'
import { figureOf } from '../../words.ts'

type Nt4Status = Documents['Nt4Status']

/** A step. */
export interface LinkStep {
  readonly name: 'Address' | 'Reached' | 'Protocol' | 'Clock'
  /** waiting: a step before it is not done. */
  readonly is: 'done' | 'going on' | 'failed' | 'waiting'
  /** What came of it, or what it is for. */
  readonly about: string
}

const NAMES = ['Address', 'Reached', 'Protocol', 'Clock'] as const

const MEANS: Readonly<Record<LinkStep['name'], string>> = {
  Address: 'where the robot is looked for',
  Reached: 'somebody answers there',
  Protocol: 'it is an NT4 server',
  Clock: 'it tells its time',
}

/** At which step a fault stops the link. A link that was lost is to be reached again. */
const STOPS_AT: Readonly<Record<string, number>> = {
  'nt4.refused': 2,
  'nt4.no_clock': 3,
  'nt4.port_taken': 0,
  'nt4.not_listening': 0,
}

const reachedSteps = ({ state, fault }: Nt4Status): number => {
  if (state === 'connected') return NAMES.length
  if (state === 'off' || state === 'parked' || state === 'awaiting-server') return 0
  return STOPS_AT[fault?.code ?? ''] ?? 1
}

/** What stands beside a step that is done. */
const resultOf = (name: LinkStep['name'], { address, protocol, round_trip_us }: Nt4Status): string => {
  if (name === 'Address') return address ?? MEANS.Address
  if (name === 'Protocol' && protocol !== null) return `NT ${protocol}`
  if (name === 'Clock' && round_trip_us !== null) return `round trip ${figureOf(round_trip_us / 1000, 2)} ms`
  return MEANS[name]
}

/** All steps, in their order. */
export const stepsOf = (status: Nt4Status): readonly LinkStep[] => {
  const done = reachedSteps(status)
  const isWanted = status.state !== 'off'
  return NAMES.map((name, n) => {
    if (n < done) return { name, is: 'done', about: resultOf(name, status) }
    if (n > done || !isWanted) return { name, is: 'waiting', about: MEANS[name] }
    return { name, is: status.fault ? 'failed' : 'going on', about: MEANS[name] }
  })
}
