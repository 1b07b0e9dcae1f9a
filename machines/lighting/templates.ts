// The built-in templates.
import type { Parameter, Template } from './template.ts'

const colour = (value: string): Parameter => ({
  name: 'colour',
  title: 'Colour',
  kind: 'colour',
  default: value,
  minimum: null,
  maximum: null,
})

const duration = (value: number): Parameter => ({
  name: 'duration',
  title: 'Duration',
  kind: 'duration',
  default: value,
  minimum: 20,
  maximum: 600_000,
})

const number = (
  name: string,
  title: string,
  value: number,
  [minimum, maximum]: readonly [number, number],
): Parameter => ({ name, title, kind: 'number', default: value, minimum, maximum })

const whole = { group: null, from: 0, count: null, spread: 0 } as const
const frame = (at: number, colour: string, level: number | string, easing: Keyframe['easing']): Keyframe => ({
  at,
  colour,
  level,
  easing,
})
type Keyframe = Template['tracks'][number]['keyframes'][number]

/** In the order in which they are listed. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'steady',
    title: 'Steady',
    description: 'One colour that stays.',
    parameters: [colour('#ffffff'), number('level', 'Level', 1, [0, 1])],
    duration_ms: 1_000,
    loop: 'repeat',
    tracks: [{ ...whole, keyframes: [frame(0, '{colour}', '{level}', 'step')] }],
  },
  {
    id: 'blink',
    title: 'Blink',
    description: 'On for the first half of the time, dark for the second.',
    parameters: [colour('#ffffff'), duration(1_000)],
    duration_ms: '{duration}',
    loop: 'repeat',
    tracks: [{ ...whole, keyframes: [frame(0, '{colour}', 1, 'step'), frame(0.5, '{colour}', 0, 'step')] }],
  },
  {
    id: 'strobe',
    title: 'Double flash',
    description: 'Two short flashes, and a pause.',
    parameters: [colour('#ff8000'), duration(1_000)],
    duration_ms: '{duration}',
    loop: 'repeat',
    tracks: [
      {
        ...whole,
        keyframes: [
          frame(0, '{colour}', 1, 'step'),
          frame(0.1, '{colour}', 0, 'step'),
          frame(0.2, '{colour}', 1, 'step'),
          frame(0.3, '{colour}', 0, 'step'),
        ],
      },
    ],
  },
  {
    id: 'breathe',
    title: 'Breathe',
    description: 'It gets slowly brighter, and slowly darker.',
    parameters: [colour('#0080ff'), number('low', 'Least level', 0.05, [0, 1]), duration(2_000)],
    duration_ms: '{duration}',
    loop: 'bounce',
    tracks: [{ ...whole, keyframes: [frame(0, '{colour}', '{low}', 'ease_in_out'), frame(1, '{colour}', 1, 'step')] }],
  },
  {
    id: 'chase',
    title: 'Chase',
    description: 'A light with a tail runs along the pixels.',
    parameters: [colour('#00ff80'), duration(1_000), number('turns', 'Lights at once', 1, [-16, 16])],
    duration_ms: '{duration}',
    loop: 'repeat',
    tracks: [
      {
        ...whole,
        spread: '{turns}',
        keyframes: [frame(0, '{colour}', 1, 'ease_out'), frame(0.4, '{colour}', 0, 'step')],
      },
    ],
  },
  {
    id: 'rainbow',
    title: 'Rainbow',
    description: 'All colours, moving along the pixels.',
    parameters: [duration(4_000), number('turns', 'Rainbows at once', 1, [-16, 16])],
    duration_ms: '{duration}',
    loop: 'repeat',
    tracks: [
      {
        ...whole,
        spread: '{turns}',
        keyframes: ['#ff0000', '#ffff00', '#00ff00', '#00ffff', '#0000ff', '#ff00ff', '#ff0000'].map((each, index) =>
          frame(index / 6, each, 1, 'linear'),
        ),
      },
    ],
  },
  {
    id: 'wipe',
    title: 'Wipe',
    description: 'The pixels light up one after the other, once, and stay.',
    parameters: [colour('#ffffff'), duration(500)],
    duration_ms: '{duration}',
    loop: 'once',
    tracks: [
      { ...whole, spread: 1, keyframes: [frame(0, '{colour}', 0, 'ease_in'), frame(0.2, '{colour}', 1, 'step')] },
    ],
  },
  {
    id: 'fade',
    title: 'From one colour to another',
    description: 'It goes from the first colour to the second and back.',
    parameters: [
      { ...colour('#ff0040'), name: 'first', title: 'First colour' },
      { ...colour('#4000ff'), name: 'second', title: 'Second colour' },
      duration(3_000),
    ],
    duration_ms: '{duration}',
    loop: 'bounce',
    tracks: [{ ...whole, keyframes: [frame(0, '{first}', 1, 'ease_in_out'), frame(1, '{second}', 1, 'step')] }],
  },
]
