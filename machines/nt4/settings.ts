// What the user wants of NT4: where the robot is, under which name, and whether the vendor camera is emulated.

import type { Static } from 'typebox'
import { ClientName } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore } from '../settings/store.ts'
import { nt4Changed } from './events.ts'
import { MAX_TEAM, parseNt4Target, teamIn } from './target.ts'

/**
 * target: see machines/nt4/target.ts. emulate_extcam_api: whether streams get their robot adapters. publish_own_table:
 * whether they have a table of our own, too. publish_period_ms, json: how the adapters publish; robots rely on 50 ms at
 * most, and on no more than 50 measurements a second.
 */
export const Nt4Settings = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 1_024,
      examples: ['team:1234'],
      description: oneLine`
        Where the robot is: \`team:1234\`; \`host\` or \`host:port\`, or up to eight of them with commas between;
        \`serve\` or \`serve:host:port\`, when this device is the server, alone for programs on this device
        (127.0.0.1:5810); or \`off\`. All the places that it can mean are called at once, and who answers first stays.
      `,
    }),
    team: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_TEAM }), Type.Null()], {
      description: oneLine`
        The number of the team; null: it is not known. A target of the form \`team:1234\` says it too: then both are
        the same.
      `,
    }),
    client_name: ClientName,
    emulate_extcam_api: Type.Boolean({ description: 'Whether the robot finds streams as the vendor camera.' }),
    publish_own_table: Type.Boolean({
      description: 'Whether each stream has the table `/vedette/<stream>/`, which dashboards draw on the field.',
    }),
    publish_period_ms: Type.Integer({
      minimum: 20,
      maximum: 50,
      description: oneLine`
        Of the vendor camera: the least time between two frames that the robot is told of. Of a camera that is faster
        the newest frame counts. Heartbeat and latencies come every 50 ms at the latest.
      `,
    }),
    json: Type.Enum(['always', 'subscribed', 'never'], {
      title: 'Nt4Json',
      description:
        'Of the vendor camera: when the key `json` is written with each frame. always: with each. subscribed: while ' +
        'somebody subscribes to it, as far as the server tells. never: there is no such key.',
    }),
  },
  { additionalProperties: false },
)
export type Nt4Settings = Static<typeof Nt4Settings>

/** How the adapters publish. */
export type Publishing = Pick<Nt4Settings, 'publish_period_ms' | 'json'>

/** As robots expect it of the vendor's camera. */
export const DEFAULT_PUBLISHING: Publishing = { publish_period_ms: 20, json: 'subscribed' }

/** The id of the one document in the collection. */
export const NT4_DOCUMENT = 'nt4'

/** What a user has changed of the NT4 settings; a missing key means: as at the start. */
export const nt4Collection = collection({
  name: 'nt4',
  id: Type.Literal(NT4_DOCUMENT),
  schema: Type.Partial(Nt4Settings, { additionalProperties: false }),
  limit: 1,
  changed: nt4Changed,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has changed the NT4 settings yet' }),
  blank: {},
  check: ({ target }) => {
    const parsed = target === undefined ? undefined : parseNt4Target(target)
    return !parsed || parsed.ok ? [] : [{ pointer: '/target', message: parsed.reason }]
  },
})

/** What of the settings the start of the service says. */
export type Nt4AtStart = Omit<Nt4Settings, 'team'>

/** What is in force of what is stored. */
export const nt4SettingsOf = (stored: Partial<Nt4Settings>, atStart: Nt4AtStart): Nt4Settings => {
  const value = { team: null, ...atStart, ...stored }
  return { ...value, team: teamIn(value.target) ?? value.team }
}

/** The settings in force: stored ones over the options of the start. revision 0: never changed. */
export const nt4SettingsIn = (
  store: SettingsStore,
  atStart: Nt4AtStart,
): { readonly revision: number; readonly value: Nt4Settings } => {
  const stored = documentOf(store, nt4Collection, NT4_DOCUMENT)
  return { revision: stored?.revision ?? 0, value: nt4SettingsOf(stored?.value ?? {}, atStart) }
}
