// The networks of the device as the API shows them.
import type { Static } from 'typebox'
import { NetworkChange } from '../../machines/network/change.ts'
import { interfaceExample, NetworkInterface, type NetworkReading } from '../../machines/network/interface.ts'
import { teamAddresses } from '../../machines/network/ipv4.ts'
import { ChangeOutcome, type DatedNews } from '../../machines/network/record.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const US_IN_MS = 1_000
const TEAM_PREFIX = 24

const Proposal = Type.Object(
  {
    address: Type.String(),
    prefix: Type.Integer(),
    gateway: Type.String(),
    dns: Type.Array(Type.String()),
  },
  { ...strict, title: 'AddressProposal', description: 'What a device of the team may have.' },
)

const Reached = Type.Object(
  {
    name: Type.Enum(['robot', 'radio', 'gateway'], {
      description:
        'robot: its controller. radio: what it is linked to the field by. gateway: of the field, if it is there.',
    }),
    address: Type.String(),
    is_reached: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'null: it was not asked, which `?check=true` does, or it cannot be.',
    }),
    by: Type.Union([Type.Enum(['nt4', 'ping']), Type.Null()], {
      description: 'How that is known. nt4: there is a link to it. ping: it was asked just now.',
    }),
  },
  { ...strict, title: 'ReachedAddress', description: 'Whether a device of the team is reached.' },
)
export type Reached = Static<typeof Reached>

const ShownChange = Type.Object(
  {
    job_id: Type.String({ description: 'Of the job that shows it; to delete that undoes the change.' }),
    interface: Type.String(),
    method: NetworkChange.properties.method,
    address: Type.Union([Type.String(), Type.Null()], { description: 'Of a static one: where the device is then.' }),
    step: Type.Enum(['ordered', 'applying', 'waiting', 'keeping', 'undoing', 'ended'], {
      title: 'ChangeStep',
      description: oneLine`
        ordered: it begins in a moment. applying: it comes into force. waiting: it is in force, and undone unless it is
        confirmed. keeping: it was confirmed. undoing: everything becomes as before. ended: see the outcome.
      `,
    }),
    remaining_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Until it is undone; null: it is not in force.',
    }),
    outcome: Type.Union([ChangeOutcome, Type.Null()], { description: 'How it ended; null: it has not.' }),
  },
  { ...strict, title: 'ShownChange', description: 'The change that is under way, or the last one since the start.' },
)

/** All of it. */
export const NetworkView = Type.Object(
  {
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why nothing can be changed here; null: what can be, each interface says.',
    }),
    interfaces: Type.Array(NetworkInterface, { description: 'By name.' }),
    team: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'The number of the team, if known.' }),
    proposal: Type.Union([Proposal, Type.Null()], {
      description: 'By the rules of the field; null: the number of the team is not known.',
    }),
    reached: Type.Array(Reached, { description: 'The devices of the team; empty: its number is not known.' }),
    change: Type.Union([ShownChange, Type.Null()], { description: 'null: there was none since the start.' }),
  },
  { ...strict, title: 'Network', description: 'The networks of the device.' },
)
export type NetworkView = Static<typeof NetworkView>

/** What the view is made of. */
export interface NetworkFacts {
  readonly reading: NetworkReading
  readonly team: number | null
  /** host:port of the robot, while there is a link. */
  readonly linkedTo: string | null
  /** What answered to whoever asked, by address; empty: nobody did. */
  readonly answered: ReadonlyMap<string, boolean | null>
  readonly news: DatedNews | undefined
  readonly nowUs: number
}

/** The addresses that are asked for a team. */
export const addressesToAsk = (team: number | null): readonly string[] => {
  if (team === null) return []
  const { robot, radio, gateway } = teamAddresses(team)
  return [robot, radio, gateway]
}

/** The document. */
export const networkView = ({ reading, team, linkedTo, answered, news, nowUs }: NetworkFacts): NetworkView => {
  const known = team === null ? null : teamAddresses(team)
  return {
    refusal: reading.refusal,
    interfaces: [...reading.interfaces],
    team,
    proposal: known && {
      address: known.camera,
      prefix: TEAM_PREFIX,
      gateway: known.gateway,
      dns: [],
    },
    reached: known
      ? (['robot', 'radio', 'gateway'] as const).map((name) => reachedOf(name, known[name], linkedTo, answered))
      : linkedTo === null
        ? []
        : [reachedOf('robot', hostIn(linkedTo), linkedTo, answered)],
    change: news ? changeOf(news, nowUs) : null,
  }
}

const hostIn = (address: string): string => address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')

const reachedOf = (
  name: Reached['name'],
  address: string,
  linkedTo: string | null,
  answered: NetworkFacts['answered'],
): Reached => {
  if (name === 'robot' && linkedTo !== null) return { name, address: hostIn(linkedTo), is_reached: true, by: 'nt4' }
  const found = answered.get(address) ?? null
  return { name, address, is_reached: found, by: found === null ? null : 'ping' }
}

const changeOf = ({ record, step, untilUs }: DatedNews, nowUs: number): Static<typeof ShownChange> => ({
  job_id: record.job_id,
  interface: record.change.interface,
  method: record.change.method,
  address: record.change.address ?? null,
  step,
  remaining_ms: untilUs === null ? null : Math.max(0, Math.round((untilUs - nowUs) / US_IN_MS)),
  outcome: record.outcome,
})

/** The document that the references show. */
export const networkExample: NetworkView = {
  refusal: null,
  interfaces: [interfaceExample],
  team: 1234,
  proposal: { address: '10.12.34.11', prefix: 24, gateway: '10.12.34.4', dns: [] },
  reached: [
    { name: 'robot', address: '10.12.34.2', is_reached: true, by: 'nt4' },
    { name: 'radio', address: '10.12.34.1', is_reached: null, by: null },
    { name: 'gateway', address: '10.12.34.4', is_reached: null, by: null },
  ],
  change: {
    job_id: '3f9a12bc-7',
    interface: 'eth0',
    method: 'static',
    address: '10.12.34.11',
    step: 'waiting',
    remaining_ms: 48_000,
    outcome: null,
  },
}
