// What localization can do: its limits, its defaults, its words.
import { FAMILY_SIZES, TAG_FAMILIES, TagFamilyName } from '../../machines/engine/tag-families.ts'
import { DEFAULT_LOCALIZATION_CONFIG, LocalizationConfig } from '../../machines/localization/config.ts'
import {
  ExternalSample,
  MAX_SAMPLE_BYTES,
  MAX_SAMPLES_PER_S,
  SampleReason,
} from '../../machines/localization/external/sample.ts'
import {
  ExternalSource,
  MAX_EXTERNAL_OUTPUTS,
  MAX_EXTERNAL_SOURCES,
} from '../../machines/localization/external/source.ts'
import { FieldMap, MAX_MAP_BYTES, MAX_MAP_FILES, MAX_TAGS } from '../../machines/localization/field-map.ts'
import { MAP_FORMS } from '../../machines/localization/maps/map-draft.ts'
import { StreamReason, TagReason } from '../../machines/localization/reasons.ts'
import { SourceReason } from '../../machines/localization/source-reasons.ts'
import { Bound, boundsOf } from '../../machines/schema/bounds.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
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

const External = Type.Object(
  {
    source_bounds: Type.Array(Bound, { description: 'Of all numbers of a declaration.' }),
    sample_bounds: Type.Array(Bound, { description: 'Of all numbers of a sample.' }),
    max_sources: Type.Integer({ minimum: 1, description: 'So many can be declared.' }),
    max_outputs: Type.Integer({ minimum: 1, description: 'So many outputs each may have.' }),
    max_samples_per_s: Type.Integer({ minimum: 1, description: 'So many of each source count in the solve.' }),
    max_sample_bytes: Type.Integer({ minimum: 1, description: 'A sample may be so long.' }),
  },
  { ...strict, title: 'ExternalLimits', description: 'What sources outside of this service may be.' },
)

const Maps = Type.Object(
  {
    forms: Type.Array(Type.Enum(MAP_FORMS), {
      description: oneLine`
        In which a map may be uploaded, and is exported. vedette: ours. wpilib: that of seasons to 2026. wpilib-2027:
        that from 2027 on. fmap: that of the emulated camera.
      `,
    }),
    bounds: Type.Array(Bound, { description: 'Of all numbers of a map in the form `vedette`.' }),
    max_maps: Type.Integer({ minimum: 1, description: 'So many are kept beside those that come with the service.' }),
    max_tags: Type.Integer({ minimum: 1, description: 'So many tags each may have.' }),
    max_bytes: Type.Integer({ minimum: 1, description: 'A file may be so long.' }),
  },
  { ...strict, title: 'FieldMapLimits', description: 'What a field map may be.' },
)

const Reasons = Type.Object(
  {
    tags: Type.Array(TagReason, { description: 'Why a tag is not used.' }),
    streams: Type.Array(StreamReason, { description: 'Why a stream is not used.' }),
    sources: Type.Array(SourceReason, { description: 'Why an output does not count.' }),
    samples: Type.Array(SampleReason, { description: 'Why a sample of another program is not used.' }),
  },
  { ...strict, title: 'LocalizationReasons', description: 'The words for why something is not used.' },
)

const Capabilities = Type.Object(
  {
    config: Config,
    families: Type.Array(Family, { description: 'The families of tags.' }),
    maps: Maps,
    external: External,
    reasons: Reasons,
  },
  { ...strict, title: 'LocalizationCapabilities', description: 'Limits, defaults and words of localization.' },
)

const capabilities = {
  config: { defaults: DEFAULT_LOCALIZATION_CONFIG, bounds: boundsOf(LocalizationConfig) },
  families: TAG_FAMILIES.map((name) => ({ name, tags: FAMILY_SIZES[name].tags })),
  maps: {
    forms: [...MAP_FORMS],
    bounds: boundsOf(FieldMap),
    max_maps: MAX_MAP_FILES,
    max_tags: MAX_TAGS,
    max_bytes: MAX_MAP_BYTES,
  },
  external: {
    source_bounds: boundsOf(ExternalSource),
    sample_bounds: boundsOf(ExternalSample),
    max_sources: MAX_EXTERNAL_SOURCES,
    max_outputs: MAX_EXTERNAL_OUTPUTS,
    max_samples_per_s: MAX_SAMPLES_PER_S,
    max_sample_bytes: MAX_SAMPLE_BYTES,
  },
  reasons: {
    tags: TagReason.enum,
    streams: StreamReason.enum,
    sources: SourceReason.enum,
    samples: SampleReason.enum,
  },
}

const { config, maps, external } = capabilities

/** The row. */
export const capabilitiesRow = () =>
  read('GET', '/v1/localization/capabilities', {
    summary: 'Limits, defaults and words of localization',
    isLasting: true,
    answer: Capabilities,
    example: {
      config: { ...config, bounds: config.bounds.slice(0, 2) },
      families: capabilities.families.slice(0, 1),
      maps: { ...maps, bounds: maps.bounds.slice(0, 2) },
      external: { ...external, source_bounds: [], sample_bounds: external.sample_bounds.slice(0, 2) },
      reasons: {
        tags: ['unknown_tag', 'inconsistent'],
        streams: ['no_lens', 'no_pose'],
        sources: ['stale'],
        samples: ['too_old'],
      },
    },
    get: () => capabilities,
  })
