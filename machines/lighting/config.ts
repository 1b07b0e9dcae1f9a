// How the lights of this device are set up.
import type { Static } from 'typebox'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { GroupName, MAX_PIXELS } from './animation.ts'
import { Show } from './show.ts'

const strict = { additionalProperties: false } as const

/** An output's name in the system. */
export const OutputId = Type.String({
  pattern: '^[!-~]{1,120}$',
  description: '1 to 120 visible ASCII characters: the id of an output, as GET /v1/peripherals/leds lists it.',
  examples: ['fake:ring'],
})

const LightingOutput = Type.Object(
  {
    id: OutputId,
    pixels: Type.Integer({ minimum: 1, maximum: MAX_PIXELS, description: 'How many lights; 1 but for a strip.' }),
    channels: Type.Union([Type.Literal(1), Type.Literal(3), Type.Literal(4), Type.Null()], {
      description: oneLine`
        Of one pixel: 1 white, 3 red, green and blue, 4 with white. null: as it was found; a strip has 3.
      `,
    }),
    order: Type.Enum(['RGB', 'RBG', 'GRB', 'GBR', 'BRG', 'BGR', 'RGBW', 'GRBW', 'W'], {
      description: oneLine`
        In which order a strip takes red, green and blue: RGB, RBG, GRB (most WS2812), GBR, BRG or BGR; with white RGBW
        or GRBW (most SK6812); W: white alone. Without meaning for other outputs.
      `,
    }),
    active_low: Type.Boolean({ description: 'Whether it shines when its line is low; for GPIO lines and PWM.' }),
  },
  { ...strict, title: 'LightingOutput', description: 'An output that is used for light.' },
)
export type LightingOutput = Static<typeof LightingOutput>

const LightingPart = Type.Object(
  {
    output: OutputId,
    from: Type.Integer({ minimum: 0, maximum: MAX_PIXELS - 1, description: 'The first pixel of the output.' }),
    count: Type.Integer({ minimum: 1, maximum: MAX_PIXELS, description: 'How many pixels.' }),
    reversed: Type.Boolean({ description: 'Whether the last one of them comes first in the group.' }),
  },
  { ...strict, title: 'LightingPart', description: 'Pixels of an output that belong to a group.' },
)

const LightingGroup = Type.Object(
  {
    name: GroupName,
    parts: Type.Array(LightingPart, {
      minItems: 1,
      maxItems: 16,
      description: 'Its pixels, one part after the other. A pixel is in one group at most.',
    }),
  },
  { ...strict, title: 'LightingGroup', description: 'Pixels that are told what to show under one name.' },
)
export type LightingGroup = Static<typeof LightingGroup>

const signal = (description: string) => orNull(Show, `${description} null: that is not shown.`)

/** What the device shows of itself. */
const LightingSignals = Type.Object(
  {
    starting: signal('While the service starts.'),
    link_lost: signal('While there is a robot to be called, and no link to it.'),
    target_seen: signal('While a stream sees a tag.'),
    update_runs: signal('While an update is carried out: the power had better stay on.'),
  },
  { ...strict, title: 'LightingSignals', description: 'What the device shows of itself.' },
)

/** The configuration. */
export const LightingConfig = Type.Object(
  {
    outputs: Type.Array(LightingOutput, {
      maxItems: 16,
      description: 'The outputs that are used; no others are touched.',
    }),
    groups: Type.Array(LightingGroup, {
      maxItems: 16,
      description: 'What commands and animations name. A robot knows `left` and `right`, if there are such groups.',
    }),
    gamma: Type.Number({
      minimum: 1,
      maximum: 4,
      description: 'How colours as on a screen become light: light = value to the power of gamma. Most LEDs: 2.2.',
    }),
    max_duty: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The share of the time for which an output is on at most, at full brightness: it spares LEDs and supply.',
    }),
    max_celsius: orNull(
      Type.Number({ minimum: 30, maximum: 110 }),
      'All lights go off when the device is this warm, and on again 5 degrees below. null: never.',
    ),
    blink: Type.Object(
      {
        on_ms: Type.Integer({ minimum: 20, maximum: 60_000, description: 'How long it is on, ms.' }),
        off_ms: Type.Integer({ minimum: 20, maximum: 60_000, description: 'How long it is off, ms.' }),
      },
      { ...strict, title: 'LightingBlink', description: 'How lights blink when nothing else is said.' },
    ),
    idle: Show,
    signals: LightingSignals,
  },
  { ...strict, title: 'LightingConfig', description: 'How the lights of this device are set up.' },
)
export type LightingConfig = Static<typeof LightingConfig>

/** As long as nobody has changed anything: no output is touched that nobody has chosen. */
export const DEFAULT_LIGHTING: LightingConfig = {
  outputs: [],
  groups: [],
  gamma: 2.2,
  max_duty: 0.8, // strips are sold with supplies that do not bear all of their pixels at full white for long
  max_celsius: 80, // where the processors of such boards slow down
  blink: { on_ms: 250, off_ms: 250 },
  idle: { command: 'off' },
  signals: {
    starting: { command: 'animation', animation: 'breathe', level: 0.3 },
    link_lost: null,
    target_seen: null,
    update_runs: { command: 'animation', animation: 'fade', level: 0.5 },
  },
}

/** The pixels of a group. */
export const pixelsOf = ({ parts }: LightingGroup): number => parts.reduce((sum, { count }) => sum + count, 0)

/** What a schema cannot say of a configuration. */
export const flawsOf = ({ outputs, groups }: LightingConfig): readonly SchemaError[] => [
  ...repeated(
    outputs,
    ({ id }) => id,
    (index) => `/outputs/${index}/id`,
  ),
  ...repeated(
    groups,
    ({ name }) => name,
    (index) => `/groups/${index}/name`,
  ),
  ...outputs.flatMap(({ channels, order }, index) =>
    channels === null || channels === 1 || order.length === channels
      ? []
      : { pointer: `/outputs/${index}/order`, message: `has not the ${channels} colours of a pixel` },
  ),
  ...tooMany(outputs),
  ...flawsOfParts(outputs, groups),
]

/** What can be computed sixty times a second for some hundredths of a core. */
const MAX_PIXELS_TOGETHER = 2_048

const tooMany = (outputs: readonly LightingOutput[]): readonly SchemaError[] => {
  const pixels = outputs.reduce((sum, each) => sum + each.pixels, 0)
  const message = `have ${pixels} pixels together; ${MAX_PIXELS_TOGETHER} are possible`
  return pixels > MAX_PIXELS_TOGETHER ? [{ pointer: '/outputs', message }] : []
}

const repeated = <Each>(
  list: readonly Each[],
  keyOf: (each: Each) => string,
  pointer: (index: number) => string,
): readonly SchemaError[] =>
  list.flatMap((each, index) =>
    list.findIndex((other) => keyOf(other) === keyOf(each)) < index
      ? { pointer: pointer(index), message: `${keyOf(each)} is there twice` }
      : [],
  )

const flawsOfParts = (outputs: readonly LightingOutput[], groups: readonly LightingGroup[]): readonly SchemaError[] => {
  const taken = new Map<string, string>()
  const flawOf = (name: string, { output, from, count }: LightingGroup['parts'][number]): SchemaError | undefined => {
    const found = outputs.find(({ id }) => id === output)
    if (!found) return { pointer: '/output', message: `${output} is not among the outputs` }
    const end = from + count
    if (end > found.pixels)
      return {
        pointer: '/count',
        message: `is too many: ${output} has ${found.pixels} pixels, of which ${from} is the first`,
      }
    for (let pixel = from; pixel < end; pixel++) {
      const other = taken.get(`${output} ${pixel}`)
      if (other !== undefined)
        return { pointer: '', message: `has pixel ${pixel} of ${output}, which is in the group ${other} already` }
      taken.set(`${output} ${pixel}`, name)
    }
    return undefined
  }
  return groups.flatMap(({ name, parts }, group) =>
    parts.flatMap((part, index) => {
      const flaw = flawOf(name, part)
      return flaw ? { ...flaw, pointer: `/groups/${group}/parts/${index}${flaw.pointer}` } : []
    }),
  )
}

/** What lights a device that is made up: all that its outputs can. */
export const MADE_UP_LIGHTING: LightingConfig = {
  ...DEFAULT_LIGHTING,
  outputs: [
    { id: 'fake:ring', pixels: 16, channels: 3, order: 'GRB', active_low: false },
    { id: 'fake:left', pixels: 1, channels: null, order: 'W', active_low: false },
    { id: 'fake:right', pixels: 1, channels: null, order: 'W', active_low: false },
    { id: 'fake:status', pixels: 1, channels: null, order: 'RGB', active_low: false },
  ],
  groups: ['ring', 'left', 'right', 'status'].map((name) => ({
    name,
    parts: [{ output: `fake:${name}`, from: 0, count: name === 'ring' ? 16 : 1, reversed: false }],
  })),
}
