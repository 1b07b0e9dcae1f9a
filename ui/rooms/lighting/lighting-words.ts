// What is said of lights.
import type { LightingConfig, LightingGroupNow, LightingNow } from '../../state/lighting.ts'
import { counted, type Tone } from '../../words.ts'

type Holder = NonNullable<LightingGroupNow['holder']>

/** Who has a light. */
export const OWNERS: Readonly<Record<Holder['kind'], readonly [tone: Tone, word: string]>> = {
  person: ['good', 'a person has it'],
  robot: ['peer', 'the robot has it'],
  device: ['busy', 'the device shows how it is'],
  idle: ['quiet', 'nobody wants it'],
}

/** The lights as a whole. */
export const STATES: Readonly<Record<LightingNow['state'], readonly [tone: Tone, word: string]>> = {
  finding: ['busy', 'being looked for'],
  absent: ['quiet', 'none is there'],
  lit: ['good', 'they shine'],
  cut: ['bad', 'all off: too warm'],
  failed: ['bad', 'failed'],
}

/** What is shown, in a word. */
export const SHOWN: Readonly<Record<Holder['shows'], string>> = {
  off: 'dark',
  on: 'on',
  blink: 'blinking',
  colour: 'one colour',
  animation: 'an animation',
}

/** What comes after the end of an animation. */
export const LOOPS = {
  once: 'plays once, and the last picture stays',
  repeat: 'begins again at its end',
  bounce: 'runs back to its beginning, and so on',
} as const

/** How one gets from a keyframe to the next. */
export const EASINGS = {
  step: 'stays until the next',
  linear: 'evenly',
  ease_in: 'slowly first',
  ease_out: 'slowly at the end',
  ease_in_out: 'slowly at both ends',
} as const

/** What the device shows of itself. */
export const SIGNALS: Readonly<Record<keyof LightingConfig['signals'], string>> = {
  starting: 'While the service starts',
  link_lost: 'While the robot is not linked',
  target_seen: 'While a stream sees a tag',
  update_runs: 'While an update runs',
}

/** When nobody has the lights. */
export const IDLE = 'When nobody wants anything'

/** When the device shows what stands at a place of its configuration. */
export const momentOf = (pointer: string): string =>
  Object.entries(SIGNALS).find(([name]) => pointer.startsWith(`/signals/${name}`))?.[1] ?? IDLE

/** What a kind of output is. */
export const OUTPUTS = {
  led: 'LED of the system',
  multicolour_led: 'LED with several colours',
  gpio_line: 'GPIO line, on and off',
  pwm: 'PWM line',
  strip: 'strip of lights',
} as const

/** `1 light`. */
export const lightsOf = (pixels: number): string => counted(pixels, 'light')

/** A level as a share: `40 %`. */
export const percentOf = (level: number): string => `${Math.round(100 * level)} %`

/** A name that the interface takes, of what people call a thing; empty: nothing of it can be used. */
export const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40)
