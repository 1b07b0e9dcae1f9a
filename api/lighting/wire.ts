// The documents of the lights that are of the wire alone.
import { Animation, animationExample } from '../../machines/lighting/animation.ts'
import { LightingConfig, MADE_UP_LIGHTING, OutputId } from '../../machines/lighting/config.ts'
import { Template } from '../../machines/lighting/template.ts'
import { enumOf } from '../../machines/schema/enum-of.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const

/** How the lights are set up. */
export const LightingConfigDocument = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the configuration; 0: nobody has changed it.' }),
    config: LightingConfig,
  },
  { ...strict, title: 'LightingConfigDocument', description: 'How the lights are set up, and its revision.' },
)

/** A change of it. */
export const LightingConfigChange = Type.Partial(LightingConfig, {
  ...strict,
  title: 'LightingConfigChange',
  description: 'What shall be another; what is left out stays as it is.',
})

/** As the references show it. */
export const configExample = { revision: 3, config: MADE_UP_LIGHTING }

const SavedAnimation = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'Of the animation: it rises whenever it is saved otherwise.' }),
    ...Animation.properties,
  },
  { ...strict, title: 'SavedLightingAnimation', description: 'An animation as it is saved, with its revision.' },
)

/** The saved ones. */
export const LightingAnimations = Type.Object(
  {
    animations: Type.Array(SavedAnimation, {
      maxItems: 100,
      description: 'In the order in which they were first saved.',
    }),
  },
  { ...strict, title: 'LightingAnimations', description: 'The saved animations.' },
)

/** As the references show it. */
export const animationsExample = { animations: [{ revision: 2, ...animationExample }] }

/** The built-in ones. */
export const LightingTemplates = Type.Object(
  { templates: Type.Array(Template, { description: 'All of them.' }) },
  { ...strict, title: 'LightingTemplates', description: 'The built-in templates.' },
)

const Led = Type.Object(
  {
    id: OutputId,
    kind: enumOf(
      {
        led: 'an LED of the system',
        multicolour_led: 'an LED of the system with several colours',
        gpio_line: 'a line of a GPIO chip',
        pwm: 'a line that is switched on and off quickly',
        strip: 'a strip of lights that are told their colours one after the other',
      },
      'LedKind',
    ),
    name: Type.String({ description: 'As the system calls it.' }),
    channels: orNull(
      Type.Integer({ minimum: 1, maximum: 4 }),
      'Of one pixel. null: a strip, which says so when set up.',
    ),
    levels: Type.Integer({ minimum: 2, description: 'How many brightnesses it tells apart; 2: on and off.' }),
    is_used: Type.Boolean({ description: 'Whether it is set up as a light.' }),
    detail: orNull(Type.String(), 'What is wrong with it, or speaks against its use, in a sentence. null: nothing.'),
  },
  { ...strict, title: 'Led', description: 'An output that could light.' },
)

/** What there is. */
export const Leds = Type.Object(
  {
    is_present: Type.Boolean({ description: 'Whether there is any.' }),
    outputs: Type.Array(Led, { description: 'All that were found.' }),
    looked_for: Type.Array(Type.String(), { description: 'Where it was looked, in sentences.' }),
  },
  { ...strict, title: 'Leds', description: 'The outputs of this device that could light.' },
)

/** As the references show it. */
export const ledsExample = {
  is_present: true,
  outputs: [
    {
      id: 'led:ACT',
      kind: 'led',
      name: 'ACT',
      channels: 1,
      levels: 256,
      is_used: false,
      detail: 'the system shows with it that the memory card is used',
    },
  ],
  looked_for: ['/sys/class/leds: 1 LED'],
}
