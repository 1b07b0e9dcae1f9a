// The synthetic camera as a source.
import type { Static } from 'typebox'
import { PoseDocument } from '../../localization/pose.ts'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { Fps } from './fps.ts'
import { sourceKind } from './source-kind.ts'

const strict = { additionalProperties: false } as const

const fields = {
  backend: Type.Literal('synthetic'),
  width_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 1280),
  height_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 800),
  fps: Fps,
  seed: withDefault(
    Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Equal seeds give equal noise and hidden tags.' }),
    1,
  ),
  motion: withDefault(
    Type.Union([Type.Literal('patrol'), Type.Literal('orbit'), Type.Literal('still')], {
      description:
        'patrol: a closed curve over the field. orbit: around 3 m in front of the nearest tag group. still: stands.',
    }),
    'patrol',
  ),
  speed_m_s: withDefault(Type.Number({ minimum: 0, maximum: 10, description: 'Of the robot, along its way.' }), 0.8),
  noise: withDefault(
    Type.Number({ minimum: 0, maximum: 64, description: 'Standard deviation, grey levels of 255.' }),
    2,
  ),
  exposure_us: withDefault(
    Type.Integer({ minimum: 0, maximum: 100_000, description: 'What moves meanwhile is smeared.' }),
    4000,
  ),
  light: withDefault(Type.Number({ minimum: 0.02, maximum: 2, description: '1 = well lit.' }), 1),
  vignetting: withDefault(Type.Number({ minimum: 0, maximum: 1, description: 'Loss of light in the corners.' }), 0.25),
  occlusion: withDefault(
    Type.Number({ minimum: 0, maximum: 1, description: 'Share of the tags that is partly hidden.' }),
    0,
  ),
  pose: Type.Optional(PoseDocument),
}

const about = oneLine`
  A camera that is computed: tag36h11 tags of a field map, seen from a robot that drives a known way. pose: where the
  robot stands when motion is \`still\`.`

/** The synthetic camera: tag36h11 tags of a field map, seen from a robot that drives a known trajectory. */
export const SyntheticSource = inputOf(fields, { ...strict, title: 'SyntheticSource', description: about })
export type SyntheticSource = Static<typeof SyntheticSource>

/** A camera that is computed. */
export const syntheticKind = sourceKind({
  backend: 'synthetic',
  sent: SyntheticSource,
  whole: Type.Object(fields, { ...strict, title: 'CanonicalSyntheticSource', description: about }),
  traits: {
    isComputed: true,
    size: ({ width_px, height_px }) => ({ width_px, height_px }),
    fps: ({ fps }) => fps,
  },
})
