// What lights are told to show, in one form for commands, for the idle state and for the signals of the device, and the
// picture that it means.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { AnimationName, Colour, Level } from './animation.ts'
import type { Loop, Picture } from './frame.ts'
import { ParameterName, type Template } from './template.ts'
import { withValues } from './template-values.ts'

const strict = { additionalProperties: false } as const

/** What a light shows. */
export const ShownWord = enumOf(
  {
    off: 'dark',
    on: 'white, or the colour that is given',
    blink: 'on and off',
    colour: 'one colour',
    animation: 'a saved animation or a built-in template, by its name',
  },
  'LightingShown',
)
export type ShownWord = Static<typeof ShownWord>

const half = (description: string) => Type.Integer({ minimum: 20, maximum: 60_000, description })

/** The fields that say more of what is shown. */
export const showFields = {
  level: Type.Optional(Level),
  colour: Type.Optional(Colour),
  on_ms: Type.Optional(half('How long a blinking light is on, ms; else as `blink` of the configuration says.')),
  off_ms: Type.Optional(half('How long a blinking light is off, ms; else as `blink` of the configuration says.')),
  animation: Type.Optional(AnimationName),
  parameters: Type.Optional(
    Type.Record(ParameterName, Type.Union([Colour, Type.Number()]), {
      additionalProperties: false,
      maxProperties: 16,
      description: 'Of a template: values of its parameters by name; those left out have their defaults.',
    }),
  ),
}

/** What a light shows, as the configuration has it. */
export const Show = Type.Object(
  { command: ShownWord, ...showFields },
  { ...strict, title: 'LightingShow', description: 'What a light shows.' },
)
export type Show = Static<typeof Show>

/** What a picture is made with. */
export interface ShowLibrary {
  /** A saved animation or a template, by its name; undefined: there is none. */
  readonly find: (name: string) => Picture | Template | undefined
  readonly blink: BlinkTimes
}

/** How a light blinks when nothing else is said. */
export interface BlinkTimes {
  readonly on_ms: number
  readonly off_ms: number
}

/** Why there is no picture: where in the order, and what is wrong there. */
export interface NoPicture {
  readonly pointer: string
  readonly message: string
}

/** The colour where none is given. */
export const WHITE = '#ffffff'

/** What an order to show something means. */
export const pictureOf = (show: Show, { find, blink }: ShowLibrary): Picture | NoPicture => {
  const { command, level = 1, colour = WHITE } = show
  if (command === 'off') return steady(WHITE, 0)
  if (command === 'on') return steady(colour, level)
  if (command === 'colour') return show.colour ? steady(colour, level) : missing('colour')
  if (command === 'blink')
    return blinking({ on_ms: show.on_ms ?? blink.on_ms, off_ms: show.off_ms ?? blink.off_ms }, colour, level)
  if (show.animation === undefined) return missing('animation')
  const found = find(show.animation)
  if (!found)
    return { pointer: '/animation', message: `there is neither a saved animation nor a template ${show.animation}` }
  const made = 'parameters' in found ? filledIn(found, show.parameters ?? {}) : playedAsSaved(found, show.parameters)
  return 'pointer' in made || level === 1 ? made : dimmed(made, level)
}

/** One colour that stays. */
export const steady = (colour: string, level: number, group: string | null = null): Picture => ({
  duration_ms: 1_000,
  loop: 'repeat',
  tracks: [{ group, from: 0, count: null, spread: 0, keyframes: [{ at: 0, colour, level, easing: 'step' }] }],
})

/** On for a while, then dark for a while. */
export const blinking = ({ on_ms, off_ms }: BlinkTimes, colour = WHITE, level = 1): Picture => ({
  duration_ms: on_ms + off_ms,
  loop: 'repeat' satisfies Loop,
  tracks: [
    {
      group: null,
      from: 0,
      count: null,
      spread: 0,
      keyframes: [
        { at: 0, colour, level, easing: 'step' },
        { at: on_ms / (on_ms + off_ms), colour, level: 0, easing: 'step' },
      ],
    },
  ],
})

/** The same, so much darker. */
export const dimmed = (picture: Picture, level: number): Picture => ({
  ...picture,
  tracks: picture.tracks.map((track) => ({
    ...track,
    keyframes: track.keyframes.map((keyframe) => ({ ...keyframe, level: keyframe.level * level })),
  })),
})

const missing = (field: string): NoPicture => ({
  pointer: `/${field}`,
  message: `is missing: the command ${field} needs it`,
})

const playedAsSaved = (picture: Picture, parameters: object | undefined): Picture | NoPicture =>
  parameters && Object.keys(parameters).length > 0
    ? { pointer: '/parameters', message: 'a saved animation has no parameters; leave them out' }
    : picture

const filledIn = (template: Template, values: Readonly<Record<string, string | number>>): Picture | NoPicture => {
  for (const [name, value] of Object.entries(values)) {
    const why = misfit(template, name, value)
    if (why) return { pointer: `/parameters/${name}`, message: why }
  }
  return withValues(template, template.parameters, values)
}

/** Why a parameter cannot have that value. */
const misfit = ({ id, parameters }: Template, name: string, value: string | number): string | undefined => {
  const parameter = parameters.find((each) => each.name === name)
  if (!parameter) return `the template ${id} has no such parameter`
  const { kind, minimum, maximum } = parameter
  if (kind === 'colour') return typeof value === 'string' ? undefined : 'must be a colour such as #ff8000'
  if (typeof value !== 'number' || (kind === 'duration' && !Number.isInteger(value)))
    return kind === 'duration' ? 'must be whole milliseconds' : 'must be a number'
  const fits = value >= (minimum ?? value) && value <= (maximum ?? value)
  return fits ? undefined : oneLine`must be between ${minimum} and ${maximum}`
}
