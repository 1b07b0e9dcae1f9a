// What the user wants of NT4: where the robot is, under which name, and whether the vendor camera is emulated.
import type { Static } from 'typebox'
import { ClientName } from '../schema/name.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore } from '../settings/store.ts'
import { nt4Changed } from './events.ts'
import { parseNt4Target } from './target.ts'

/** target: `serve`, `serve:host:port`, `host[:port]`, `team:1234` or `off`. emulate_extcam_api: whether streams get their robot adapters. */
export const Nt4Settings = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ['team:1234'],
      description: 'Where the robot is: `serve`, `serve:host:port`, `host`, `host:port`, `team:1234` or `off`.',
    }),
    client_name: ClientName,
    emulate_extcam_api: Type.Boolean({ description: 'Whether the robot finds streams as the vendor camera.' }),
  },
  { additionalProperties: false },
)
export type Nt4Settings = Static<typeof Nt4Settings>

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

/** The settings in force: stored ones over those of the start. revision 0: nobody has changed them. */
export const nt4SettingsIn = (
  store: SettingsStore,
  atStart: Nt4Settings,
): { readonly revision: number; readonly value: Nt4Settings } => {
  const stored = documentOf(store, nt4Collection, NT4_DOCUMENT)
  return { revision: stored?.revision ?? 0, value: { ...atStart, ...stored?.value } }
}
