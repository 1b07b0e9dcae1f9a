// The numbers of the config of localization, as people read them: one table.
import type { LocalizationConfig } from '../../state/localization-config.ts'
import { figureOf } from '../../words.ts'

/** What a part of the form takes. */
export interface ConfigPartProps {
  readonly config: LocalizationConfig
  readonly onChange: (config: LocalizationConfig) => void
}

/** A number of it. */
export interface ConfigField {
  /** RFC 6901, into the config. */
  readonly pointer: string
  readonly name: string
  readonly unit: string
  /** From the number of the interface to the one that is shown. */
  readonly times: number
  readonly step: number
  readonly hint: string
}

/** Those that belong together. */
export interface ConfigGroup {
  readonly name: string
  readonly hint: string
  readonly fields: readonly ConfigField[]
}

/** All of them. */
export const CONFIG_GROUPS: readonly ConfigGroup[] = [
  {
    name: 'What is known without tags',
    hint: 'The robot stands on the floor, more or less. A field with ramps or bumps wants larger numbers.',
    fields: [
      { pointer: '/priors/z_std_m', name: 'Height', unit: 'cm', times: 100, step: 1, hint: 'above or below the floor' },
      { pointer: '/priors/tilt_std_deg', name: 'Tilt', unit: '°', times: 1, step: 0.5, hint: 'forward and sideways' },
    ],
  },
  {
    name: 'How far things may be off',
    hint: 'One sigma each. The pose is said to be as sure as these allow.',
    fields: [
      { pointer: '/errors/map_m', name: 'Tags, place', unit: 'mm', times: 1000, step: 1, hint: 'against the map' },
      { pointer: '/errors/map_deg', name: 'Tags, turned', unit: '°', times: 1, step: 0.1, hint: 'against the map' },
      { pointer: '/errors/mount_m', name: 'Cameras, place', unit: 'mm', times: 1000, step: 1, hint: 'against the rig' },
      {
        pointer: '/errors/mount_deg',
        name: 'Cameras, turned',
        unit: '°',
        times: 1,
        step: 0.1,
        hint: 'against the rig',
      },
      { pointer: '/errors/lens_share', name: 'Lenses', unit: '%', times: 100, step: 0.1, hint: 'of the focal length' },
    ],
  },
  {
    name: 'What is refused',
    hint: 'Larger numbers let more through.',
    fields: [
      {
        pointer: '/gate/max_std_m',
        name: 'Not given to the robot above',
        unit: 'cm',
        times: 100,
        step: 1,
        hint: 'sigma',
      },
      {
        pointer: '/gate/tag_chi2',
        name: 'A tag against the others',
        unit: 'χ²',
        times: 1,
        step: 1,
        hint: 'of 8 numbers',
      },
      { pointer: '/gate/fused_chi2', name: 'A pose against the wheels', unit: 'χ²', times: 1, step: 0.5, hint: 'of 3' },
    ],
  },
  {
    name: 'Waiting',
    hint: 'A round is solved when all cameras have a picture, or after that time.',
    fields: [{ pointer: '/round_wait_ms', name: 'For other cameras', unit: 'ms', times: 1, step: 1, hint: 'at most' }],
  },
]

/** The one that belongs to the heading. */
export const HEADING_FIELD: ConfigField = {
  pointer: '/heading/std_deg',
  name: 'May be off',
  unit: '°',
  times: 1,
  step: 0.1,
  hint: 'one sigma, once its offset is known',
}

type Tree = Readonly<Record<string, unknown>>

const stepsOf = (pointer: string): readonly string[] => pointer.slice(1).split('/')

/** The number that a field shows. */
export const numberAt = (config: LocalizationConfig, { pointer, times }: ConfigField): number => {
  const found = stepsOf(pointer).reduce<unknown>((tree, step) => (tree as Tree)[step], config)
  return Number(((found as number) * times).toPrecision(12)) // 0.003 of a whole is 0.3 %, and not 0.30000000000000004 %
}

/** The config with another number at a field. */
export const withNumber = (
  config: LocalizationConfig,
  { pointer, times }: Pick<ConfigField, 'pointer' | 'times'>,
  shown: number,
): LocalizationConfig => {
  const put = (tree: Tree, [step = '', ...rest]: readonly string[]): Tree => ({
    ...tree,
    [step]: rest.length === 0 ? Number((shown / times).toPrecision(12)) : put(tree[step] as Tree, rest),
  })
  return put(config as unknown as Tree, stepsOf(pointer)) as unknown as LocalizationConfig
}

/** How far a shown number may be from the smallest to the largest one. */
export const limitsOfField = (
  bounds: readonly { readonly pointer: string; readonly minimum: number; readonly maximum: number }[],
  { pointer, times }: ConfigField,
): { readonly min?: number; readonly max?: number } => {
  const bound = bounds.find((each) => each.pointer === pointer)
  if (!bound) return {}
  return { min: Number((bound.minimum * times).toPrecision(12)), max: Number((bound.maximum * times).toPrecision(12)) }
}

const ALL_FIELDS = [...CONFIG_GROUPS.flatMap(({ fields }) => fields), HEADING_FIELD]

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

/** What stands in a config otherwise than in another one, for people: `Height 12 cm, map gym`; empty: nothing. */
export const differencesOf = (config: LocalizationConfig, other: LocalizationConfig): string => {
  const isOther = (key: keyof LocalizationConfig) => JSON.stringify(config[key]) !== JSON.stringify(other[key])
  const { heading, streams, ignored } = config
  const words = [
    isOther('enabled') && `switched ${config.enabled ? 'on' : 'off'}`,
    isOther('map_id') && `map ${config.map_id ?? 'of the streams'}`,
    isOther('streams') && `cameras ${streams === 'all' ? 'all' : streams.join(' ') || 'none'}`,
    isOther('ignored') && `ignored tags ${ignored.map(({ tag_id }) => tag_id).join(' ') || 'none'}`,
    heading.use !== other.heading.use && `heading used ${yesOrNo(heading.use)}`,
    heading.learn_offset !== other.heading.learn_offset && `offset learnt ${yesOrNo(heading.learn_offset)}`,
    heading.use_imu !== other.heading.use_imu && `IMU in its place ${yesOrNo(heading.use_imu)}`,
    isOther('odometry') && `motion ${config.odometry.source === 'nt4' ? 'by wheels' : 'by tags'}`,
    ...ALL_FIELDS.map(
      (field) =>
        numberAt(config, field) !== numberAt(other, field) &&
        `${field.name.toLowerCase()} ${figureOf(numberAt(config, field), 1)} ${field.unit}`,
    ),
  ]
  return words.filter((word) => word !== false).join(', ')
}
