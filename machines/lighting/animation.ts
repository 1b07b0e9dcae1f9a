// Animations of lights: keyframes on a time line for pixels of groups.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../schema/defaults.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** More is no strip that a camera device drives: one write to an SPI device has room for some 450 pixels. */
export const MAX_PIXELS = 1_024

/** A group of pixels, as commands name it. */
export const GroupName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter. The name of a group of pixels.',
  examples: ['ring'],
})

/** Under which an animation is saved. */
export const AnimationName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter. The name of an animation.',
  examples: ['heartbeat'],
})

/** A colour as on a screen. */
export const Colour = Type.String({
  pattern: '^#[0-9a-f]{6}$',
  description: '7 characters: # and six lower-case hexadecimal digits, red, green and blue, as on a screen.',
  examples: ['#ff8000'],
})

/** How bright. */
export const Level = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How bright: 1 is the colour as it is, 0 dark, 0.5 looks half as bright.',
})

/** How a value gets to the next keyframe. */
export const EasingName = Type.Enum(['step', 'linear', 'ease_in', 'ease_out', 'ease_in_out'], {
  description: oneLine`
    How it goes on to the next keyframe. step: it stays until there. linear: evenly. ease_in: slowly first. ease_out:
    slowly at the end. ease_in_out: slowly at both ends.
  `,
})

/** What comes after the end. */
export const LoopName = Type.Enum(['once', 'repeat', 'bounce'], {
  description: oneLine`
    What comes after the end. once: the last picture stays. repeat: it begins again. bounce: it runs back to its
    beginning, and so on.
  `,
})

/** How long an animation takes once. */
export const Duration = Type.Integer({
  minimum: 20,
  maximum: 600_000,
  description: 'How long the time line is, ms.',
})

/** A place on the time line. */
export const At = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The share of the duration that is over. In ascending order.',
})

const trackFields = {
  group: withDefault(orNull(GroupName, 'null: each group on which the animation is played.'), null),
  from: withDefault(Type.Integer({ minimum: 0, maximum: MAX_PIXELS - 1, description: 'The first pixel.' }), 0),
  count: withDefault(
    orNull(Type.Integer({ minimum: 1, maximum: MAX_PIXELS }), 'How many pixels. null: up to the last one.'),
    null,
  ),
}

/** How a track runs along its pixels. */
export const Spread = Type.Number({
  minimum: -16,
  maximum: 16,
  description: oneLine`
    By how many durations the pixel after the last lags behind the first: 0 has all show the same, 1 runs along the
    pixels once in each duration, -1 from the last to the first.
  `,
})

const keyframeFields = {
  at: At,
  colour: Colour,
  level: withDefault(Level, 1),
  easing: withDefault(EasingName, 'linear'),
}

/** The fields of a time line, of what its keyframes and numbers may be: an animation's, or a template's. */
const KeyframeSchema = Type.Object(keyframeFields, {
  ...strict,
  title: 'LightingKeyframe',
  description: 'What a track shows at a place of the time line. Between two of them it goes from one to the other.',
})

const keyframes = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Array(schema, {
    minItems: 1,
    maxItems: 64,
    description: 'In the order of `at`. Before the first one the track shows the first, after the last one the last.',
  })

const tracks = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Array(schema, {
    minItems: 1,
    maxItems: 16,
    description: 'A later track covers earlier ones on its pixels. Pixels that none covers are dark.',
  })

const TrackSchema = Type.Object(
  { ...trackFields, spread: withDefault(Spread, 0), keyframes: keyframes(KeyframeSchema) },
  { ...strict, title: 'LightingTrack', description: 'What happens on pixels of a group.' },
)

const head = {
  name: AnimationName,
  title: Name(80, 'What people call it.'),
}

/** An animation, whole. */
export const Animation = Type.Object(
  { ...head, duration_ms: Duration, loop: withDefault(LoopName, 'repeat'), tracks: tracks(TrackSchema) },
  { ...strict, title: 'LightingAnimation', description: 'Keyframes on a time line for pixels of groups.' },
)
export type Animation = Static<typeof Animation>

/** An animation as it may be sent: what has a default may be left out. */
export const AnimationInput = inputOf(
  {
    ...Animation.properties,
    tracks: tracks(
      inputOf(
        {
          ...TrackSchema.properties,
          keyframes: keyframes(
            inputOf(keyframeFields, {
              ...strict,
              title: 'LightingKeyframeInput',
              description: 'A keyframe; what is left out has its default.',
            }),
          ),
        },
        { ...strict, title: 'LightingTrackInput', description: 'A track; what is left out has its default.' },
      ),
    ),
  },
  { ...strict, title: 'LightingAnimationInput', description: 'An animation; what is left out has its default.' },
)

/** As the references show it. */
export const animationExample: Animation = {
  name: 'heartbeat',
  title: 'Heartbeat',
  duration_ms: 1_200,
  loop: 'repeat',
  tracks: [
    {
      group: null,
      from: 0,
      count: null,
      spread: 0,
      keyframes: [
        { at: 0, colour: '#ff0000', level: 0, easing: 'ease_in' },
        { at: 0.1, colour: '#ff0000', level: 1, easing: 'ease_out' },
        { at: 0.3, colour: '#ff0000', level: 0, easing: 'step' },
      ],
    },
  ],
}
