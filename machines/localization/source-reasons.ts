// Why a source is not used.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { StreamReason } from './reasons.ts'

/** Why an output does not count in the solve. */
export const SourceReason = Type.Enum(
  [...StreamReason.enum, 'off', 'other_device', 'only_shown', 'no_sample', 'stale'],
  {
    title: 'LocalizationSourceReason',
    description: oneLine`
    As of streams; and \`off\`: localization is off. \`other_device\`: what another device has solved is only shown.
    \`only_shown\`: the source is declared so. \`no_sample\`: nothing has come of it. \`stale\`: its newest sample is
    too old.
  `,
  },
)
export type SourceReason = Static<typeof SourceReason>
