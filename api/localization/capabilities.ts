// What localization can do: its limits, its defaults, its words.
import { FAMILY_SIZES, TAG_FAMILIES, TagFamilyName } from '../../machines/engine/tag-families.ts'
import { DEFAULT_LOCALIZATION_CONFIG, LocalizationConfig } from '../../machines/localization/config.ts'
import { StreamReason, TagReason } from '../../machines/localization/reasons.ts'
import { Bound, boundsOf } from '../../machines/schema/bounds.ts'
import Type from '../../machines/schema/type.ts'
import { read } from '../endpoints/read.ts'

const strict = { additionalProperties: false } as const

const Family = Type.Object(
  { name: TagFamilyName, tags: Type.Integer({ minimum: 1, description: 'How many it has; the first is 0.' }) },
  { ...strict, title: 'LocalizationFamily', description: 'A family of tags that a map may have.' },
)

const Config = Type.Object(
  {
    defaults: LocalizationConfig,
    bounds: Type.Array(Bound, { description: 'Of all numbers in it.' }),
  },
  { ...strict, title: 'LocalizationConfigLimits', description: 'What a config may be.' },
)

const Reasons = Type.Object(
  {
    tags: Type.Array(TagReason, { description: 'Why a tag is not used.' }),
    streams: Type.Array(StreamReason, { description: 'Why a stream is not used.' }),
  },
  { ...strict, title: 'LocalizationReasons', description: 'The words for why something is not used.' },
)

const Capabilities = Type.Object(
  {
    config: Config,
    families: Type.Array(Family, { description: 'The families of tags.' }),
    reasons: Reasons,
  },
  { ...strict, title: 'LocalizationCapabilities', description: 'Limits, defaults and words of localization.' },
)

const wordsOf = (schema: { readonly enum: readonly string[] }): readonly string[] => schema.enum

const capabilities = {
  config: { defaults: DEFAULT_LOCALIZATION_CONFIG, bounds: boundsOf(LocalizationConfig) },
  families: TAG_FAMILIES.map((name) => ({ name, tags: FAMILY_SIZES[name].tags })),
  reasons: { tags: wordsOf(TagReason), streams: wordsOf(StreamReason) },
}

const { config } = capabilities

/** The row. */
export const capabilitiesRow = () =>
  read('GET', '/v1/localization/capabilities', {
    summary: 'Limits, defaults and words of localization',
    isLasting: true,
    answer: Capabilities,
    example: {
      config: { ...config, bounds: config.bounds.slice(0, 2) },
      families: capabilities.families.slice(0, 1),
      reasons: { tags: ['unknown_tag', 'inconsistent'], streams: ['no_lens', 'no_pose'] },
    },
    get: () => capabilities,
  })
