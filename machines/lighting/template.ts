// Templates of animations: built in, of the form of animations, with parameters.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { AnimationName, At, Colour, Duration, EasingName, GroupName, Level, LoopName, MAX_PIXELS } from './animation.ts'

const strict = { additionalProperties: false } as const

const Reference = Type.String({
  pattern: '^[{][a-z_]{1,40}[}]$',
  description: 'A parameter in braces: 1 to 40 lower-case letters and _.',
})

const orParameter = <Schema extends Parameters<typeof orNull>[0]>(schema: Schema) =>
  Type.Union([schema, Reference], { description: 'A value, or a parameter in braces that stands for one.' })

/** The name of a parameter. */
export const ParameterName = Type.String({
  pattern: '^[a-z_]{1,40}$',
  description: '1 to 40 lower-case letters and _. The name of a parameter.',
  examples: ['colour'],
})

const Parameter = Type.Object(
  {
    name: ParameterName,
    title: Name(40, 'What people call it.'),
    kind: enumOf(
      { colour: 'a colour such as #ff8000', number: 'a number', duration: 'whole milliseconds' },
      'LightingParameterKind',
    ),
    default: Type.Union([Colour, Type.Number()], { description: 'Its value when none is given.' }),
    minimum: orNull(Type.Number(), 'The least that it may be. null: it is a colour.'),
    maximum: orNull(Type.Number(), 'The most that it may be. null: it is a colour.'),
  },
  { ...strict, title: 'LightingParameter', description: 'What the user of a template chooses.' },
)
export type Parameter = Static<typeof Parameter>

const Keyframe = Type.Object(
  { at: At, colour: orParameter(Colour), level: orParameter(Level), easing: EasingName },
  { ...strict, title: 'LightingTemplateKeyframe', description: 'What a track shows at a place of the time line.' },
)

const Track = Type.Object(
  {
    group: orNull(GroupName, 'null: each group on which it is played.'),
    from: Type.Integer({ minimum: 0, maximum: MAX_PIXELS - 1, description: 'The first pixel.' }),
    count: orNull(Type.Integer({ minimum: 1, maximum: MAX_PIXELS }), 'How many pixels. null: up to the last one.'),
    spread: orParameter(Type.Number({ minimum: -16, maximum: 16 })),
    keyframes: Type.Array(Keyframe, { minItems: 1, maxItems: 64, description: 'In the order of `at`.' }),
  },
  { ...strict, title: 'LightingTemplateTrack', description: 'What happens on pixels of a group.' },
)

/** A template. */
export const Template = Type.Object(
  {
    id: { ...AnimationName, examples: ['breathe'] },
    title: Name(80, 'What people call it.'),
    description: Type.String({ description: 'What it looks like, in a sentence.' }),
    parameters: Type.Array(Parameter, { description: 'What can be chosen; all have defaults.' }),
    duration_ms: orParameter(Duration),
    loop: LoopName,
    tracks: Type.Array(Track, { minItems: 1, maxItems: 16, description: 'A later track covers earlier ones.' }),
  },
  {
    ...strict,
    title: 'LightingTemplate',
    description: oneLine`
      An animation with parameters: a text such as {colour} stands where the value of the parameter "colour" belongs.
    `,
  },
)
export type Template = Static<typeof Template>
