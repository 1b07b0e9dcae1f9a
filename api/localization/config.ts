// The rows of the config of localization.
import { DIRECTORY } from '../../actors/directory.ts'
import { LOCALIZATION } from '../../actors/localization/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  LocalizationConfig,
  SentLocalizationConfig,
  wholeLocalizationConfig,
} from '../../machines/localization/config.ts'
import {
  LOCALIZATION_DOCUMENT,
  localizationCollection,
  localizationConfigIn,
} from '../../machines/localization/config-collection.ts'
import { repeatedIn, strangersIn } from '../../machines/localization/config-flaws.ts'
import { localizationConfigChanged } from '../../machines/localization/events.ts'
import { LOOK_FOR_MAPS } from '../../machines/localization/field-map.ts'
import { firstError } from '../../machines/schema/errors.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOrder, Refused } from '../../machines/settings/commit.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import { read } from '../endpoints/read.ts'
import { resource } from '../endpoints/resource.ts'
import { fault } from '../problems/problem.ts'
import { configExample, LocalizationStatus, statusExample } from './wire.ts'

/** The needs of the config's rows. */
export const configNeeds = {
  directory: DIRECTORY,
  streams: STREAM_REGISTRY,
  localization: LOCALIZATION,
  look: LOOK_FOR_MAPS,
}
type ConfigParts = Given<typeof configNeeds>

const body = {
  schema: SentLocalizationConfig,
  example: { map_id: 'demo', streams: ['front'], priors: { z_std_m: 0.05 } },
  invalid: 'localization.invalid',
} as const

const WHAT_IS_SENT = oneLine`
  What is left out has its default, also within a group. A map or a stream that is named must be there, unless it was
  named before.
`

/** The rows. */
export const configRows = (parts: ConfigParts) => {
  const config = resource('/v1/localization/config', {
    collection: localizationCollection,
    only: LOCALIZATION_DOCUMENT,
    title: 'Localization',
    about: 'How all cameras are solved together.',
    spec: LocalizationConfig,
    status: LocalizationStatus,
    example: { id: LOCALIZATION_DOCUMENT, spec: configExample, status: statusExample },
    statusOf: () => statusOf(parts),
  })
  return [
    config.read({ summary: 'How all cameras are solved together' }),

    command('PUT', '/v1/localization/config', {
      summary: 'Set how all cameras are solved together',
      about: `${WHAT_IS_SENT} In force from the next round on.`,
      conditional: true,
      publishes: [localizationConfigChanged],
      to: 'settings',
      body,
      send: async (call) => {
        const named = await nameable(parts)
        const whole = wholeLocalizationConfig(call.body)
        const change = (before: LocalizationConfig) => {
          const flaws = flawsOf(whole, named, before)
          return flaws.length === 0 ? whole : new Refused(unfit(flaws))
        }
        return changeOrder(localizationCollection, LOCALIZATION_DOCUMENT, change, call.expected)
      },
      answer: {
        schema: config.document,
        example: { id: LOCALIZATION_DOCUMENT, revision: 1, spec: configExample, status: statusExample },
        of: (call) => config.viewAt(call, LOCALIZATION_DOCUMENT),
      },
      faults: ['localization.invalid'],
    }),

    read('POST', '/v1/localization/validate', {
      summary: 'Check a config of localization',
      about: `Answers with what \`PUT /v1/localization/config\` would store. ${WHAT_IS_SENT} Nothing is stored.`,
      body,
      answer: LocalizationConfig,
      example: configExample,
      get: async (call): Promise<LocalizationConfig | Fault> => {
        const named = await nameable(parts)
        const whole = wholeLocalizationConfig(call.body)
        const flaws = flawsOf(whole, named, localizationConfigIn(parts.directory.settings).value)
        return flaws.length === 0 ? whole : unfit(flaws)
      },
      faults: ['localization.invalid'],
    }),
  ]
}

/** What is there to be named by a config. */
const nameable = async ({ look, streams }: Pick<ConfigParts, 'look' | 'streams'>) => ({
  maps: (await look()).maps,
  streams: new Set(streams.all().map(({ id }) => id)),
})

const flawsOf = (
  config: LocalizationConfig,
  named: Awaited<ReturnType<typeof nameable>>,
  before: LocalizationConfig,
): readonly SchemaError[] => [...repeatedIn(config), ...strangersIn(config, named, before)]

/** Refuses a body of localization for what its schema does not say. */
export const unfit = (flaws: readonly SchemaError[]): Fault =>
  fault('localization.invalid', firstError(flaws, 'the body'), { errors: flaws })

const statusOf = ({ localization }: ConfigParts) => ({
  state: localization.state(),
  map: localization.map(),
  streams: localization.streams().map(({ streamId, used, reason }) => ({ stream_id: streamId, used, reason })),
})
