// The link to the robot: its settings and its state.

import type { Static } from 'typebox'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { NT4_IN_FORCE, NT4_LINK, NT4_SETTINGS } from '../../actors/nt4/tokens.ts'
import { nt4Changed } from '../../machines/nt4/events.ts'
import { downView, linkView, Nt4LinkView } from '../../machines/nt4/link-view.ts'
import { type Nt4LinkStatus, nt4LinkStatus } from '../../machines/nt4/nt4-link-machine.ts'
import { type Nt4ServerStatus, nt4ServerStatus } from '../../machines/nt4/nt4-server-machine.ts'
import { DEFAULT_PUBLISHING, NT4_DOCUMENT, Nt4Settings, nt4Collection } from '../../machines/nt4/settings.ts'
import { parseNt4Target } from '../../machines/nt4/target.ts'
import { type Nt4Change, nt4Patch } from '../../machines/nt4/team.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { changeOrder, type Expected, Refused } from '../../machines/settings/commit.ts'
import { mergePatch } from '../../machines/settings/merge-patch.ts'
import type { Given } from '../../machines/token.ts'
import { NT4_INSPECTION } from '../../native/nt4/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { resource } from '../endpoints/resource.ts'
import { invalidBody } from '../problems/problem.ts'
import { SIGN_IN } from '../session/area.ts'
import { inspectionRows } from './inspection.ts'
import { LiveTopicFeed } from './live-topics.ts'
import { topicsFeedRow } from './topics-row.ts'

const strict = { additionalProperties: false } as const

const Nt4Status = Type.Object(
  {
    ...Nt4LinkView.properties,
    mode: Type.Union([Type.Enum(['team', 'host', 'hosts', 'serve', 'off']), Type.Null()], {
      description:
        'What the target means. team, host, hosts: this device is a client, of the robot of a team or of who is at ' +
        'the places that are named. serve: it is the server, and its own client. off: there is no link. null: the ' +
        'target cannot be used.',
    }),
    applied_revision: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'The revision that is in force; null while the newest is still being applied, or the link is being restarted.',
    }),
    connected: Type.Boolean({ description: 'Whether there is a link.' }),
    server_address: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the embedded server listens; null: there is none.',
    }),
  },
  { ...strict, title: 'Nt4Status', description: 'What is the case with the link to the robot.' },
)

const { target, team, client_name, emulate_extcam_api, publish_own_table, publish_period_ms, json } =
  Nt4Settings.properties

const Nt4ChangeBody = Type.Object(
  {
    target: Type.Optional(target),
    team: Type.Optional(team),
    client_name: Type.Optional(client_name),
    emulate_extcam_api: Type.Optional(emulate_extcam_api),
    publish_own_table: Type.Optional(publish_own_table),
    publish_period_ms: Type.Optional(publish_period_ms),
    json: Type.Optional(json),
  },
  { ...strict, title: 'Nt4Change', minProperties: 1, description: 'What is left out stays as it is.' },
)

const nt4Example = {
  id: NT4_DOCUMENT,
  spec: {
    target: 'team:1234',
    team: 1234,
    client_name: 'vedette',
    emulate_extcam_api: true,
    publish_own_table: true,
    ...DEFAULT_PUBLISHING,
  },
  status: {
    state: 'connected',
    mode: 'team',
    applied_revision: 2,
    connected: true,
    address: '10.12.34.2:5810',
    server_address: null,
    protocol: '4.1',
    round_trip_us: 850,
    server_offset_us: -12_500_000,
    next_try_in_ms: null,
    fault: null,
  },
}

const Team = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the NT4 settings, of which it is a part.' }),
    team,
    target: { ...target, description: 'Where the robot is looked for, as in `GET /v1/device/nt4`.' },
  },
  { ...strict, title: 'Team', description: 'Whose robot this device is on.' },
)

const TeamChange = Type.Object(
  { team },
  { ...strict, title: 'TeamChange', description: 'The number, or null to forget it.' },
)

const teamExample = { revision: 2, team: 1234, target: 'team:1234' }

const needs = { directory: DIRECTORY, link: NT4_LINK, settings: NT4_SETTINGS, inForce: NT4_IN_FORCE }

export const nt4InspectionArea = areaOf(
  { inspection: NT4_INSPECTION, signIn: SIGN_IN, settings: NT4_SETTINGS, link: NT4_LINK, directory: DIRECTORY },
  ({ inspection, signIn: { policy }, settings, link, directory }) => {
    const topics = new LiveTopicFeed({ inspection, link, settings, directory })
    const rows = [...inspectionRows({ inspection, policy, settings }), topicsFeedRow(topics)]
    return { ...area('nt4', 'NT4 servers: the robot and any other.', rows), close: () => topics.close() }
  },
)

export const deviceNt4Area = areaOf(needs, (parts) => {
  const nt4 = resource('/v1/device/nt4', {
    collection: nt4Collection,
    only: NT4_DOCUMENT,
    title: 'Nt4',
    about: 'The link to the robot.',
    spec: Nt4Settings,
    status: Nt4Status,
    example: nt4Example,
    specOf: () => parts.settings().value,
    statusOf: () => nt4Status(parts),
  })
  return area('device', 'The device itself.', [
    nt4.read({ summary: 'The link to the robot' }),

    command('POST', '/v1/device/nt4', {
      summary: 'Change the link to the robot',
      about: oneLine`
        In force at once: the link is closed and opened anew when the target or the name changed, and the tables of
        the vendor camera are published anew when the period or \`json\` changed. The target may be \`team\` alone,
        which stands for the number that is known.
      `,
      to: 'settings',
      conditional: true,
      publishes: [nt4Changed],
      body: { schema: Nt4ChangeBody, example: { target: 'team:1234' } },
      send: ({ body, expected }) => orderOf(parts, body, expected),
    }),

    read('GET', '/v1/device/team', {
      summary: 'The number of the team',
      answer: Team,
      example: teamExample,
      get: () => teamView(parts.settings()),
    }),

    command('POST', '/v1/device/team', {
      summary: 'Set the number of the team',
      about: oneLine`
        From then on the team's robot is looked for, unless somebody has chosen another target (\`POST
        /v1/device/nt4\`): then the number is only kept. It is the same number as in a target \`team:1234\`. Without
        one nobody is looked for, if it was the team's robot.
      `,
      to: 'settings',
      conditional: true,
      publishes: [nt4Changed],
      body: { schema: TeamChange, example: { team: 1234 } },
      send: ({ body, expected }) => orderOf(parts, body, expected),
    }),
  ])
})

/** One view of the NT4 settings: its revision is theirs. */
const teamView = ({ revision, value: { team, target } }: Settings) => ({ revision, team, target })

type Settings = ReturnType<Given<typeof needs>['settings']>
type Nt4Status = Static<typeof Nt4Status>

const nt4Status = ({ directory, link: slot, settings }: Given<typeof needs>): Nt4Status => {
  const { actor } = directory
  const session = slot.value
  const link = actor('nt4-link')?.getSnapshot()
  const snapshot = actor('nt4-server')?.getSnapshot()
  const server = snapshot && nt4ServerStatus(snapshot)
  return {
    ...(link ? linkView(linkStatus(nt4LinkStatus(link), server), session) : downStatus(directory)),
    mode: modeOf(settings().value.target),
    applied_revision: link && isApplied(directory) ? settings().revision : null,
    connected: session !== undefined,
    server_address: server?.address ?? null,
  }
}

/**
 * A link that waits for the embedded server has no fault of its own: why there is no server is what people are to know.
 */
const linkStatus = (link: Nt4LinkStatus, server: Nt4ServerStatus | undefined): Nt4LinkStatus =>
  link.state === 'awaiting-server' ? { ...link, fault: link.fault ?? server?.fault ?? null } : link

const modeOf = (target: string): Nt4Status['mode'] => {
  const parsed = parseNt4Target(target)
  return parsed.ok ? parsed.target.kind : null
}

/**
 * Nothing of them waits to be taken up: neither by server and link, nor by the tables of the streams and the ports of
 * these.
 */
const isApplied = ({ actor }: Directory): boolean =>
  [actor('nt4'), actor('extcam'), actor('extcam-ports'), actor('own-table')].every((reconciler) =>
    reconciler?.getSnapshot().matches('in-step'),
  )

/** While the link's actor is being started again, or waits for that. */
const downStatus = ({ parts }: Directory) => {
  const part = parts().find(({ name }) => name === 'nt4-link')
  return downView(part?.state === 'failed' ? 'failed' : 'restarting', part?.fault ?? null)
}

/**
 * What a change becomes depends on the target and the number that are stored when its turn has come. The document
 * holds only what was ever changed, the rest is as at the start.
 */
const orderOf = ({ inForce }: Given<typeof needs>, wanted: Nt4Change, expected: Expected) =>
  changeOrder(
    nt4Collection,
    NT4_DOCUMENT,
    (stored) => {
      const patch = nt4Patch(wanted, { stored, inForce: inForce(stored) })
      return 'pointer' in patch ? new Refused(invalidBody(patch)) : (mergePatch(stored, patch) as typeof stored)
    },
    expected,
  )
