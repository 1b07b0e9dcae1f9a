// What animations look like: pictures that were worked out on paper.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animationExample } from '../../../machines/lighting/animation.ts'
import { endOf, frameOf, type Picture, type Track } from '../../../machines/lighting/frame.ts'
import { withValues } from '../../../machines/lighting/template-values.ts'
import { TEMPLATES } from '../../../machines/lighting/templates.ts'

const track = (fields: Partial<Track>): Track => ({
  group: null,
  from: 0,
  count: null,
  spread: 0,
  keyframes: [],
  ...fields,
})

const RAMP = [
  { at: 0, colour: '#000000', level: 1, easing: 'linear' },
  { at: 1, colour: '#ffffff', level: 1, easing: 'step' },
] as const

const ramp = (fields: Partial<Picture>): Picture => ({
  duration_ms: 100,
  loop: 'repeat',
  tracks: [track({ keyframes: RAMP })],
  ...fields,
})

/** One row of text for each moment: a pixel is its red, green and blue in tenths, `-` is dark and `X` full. */
const strip = (picture: Picture, pixels: number, times: readonly number[], group = 'ring'): readonly string[] =>
  times.map((at_ms) => {
    const tenths = [...frameOf(picture, { group, pixels }, at_ms)].map((value) => Math.round(10 * value))
    const letters = tenths.map((tenth) => (tenth === 0 ? '-' : tenth === 10 ? 'X' : String(tenth)))
    return letters.join('').replace(/(...)(?=.)/g, '$1 ')
  })

test('a repeated animation begins again, one that is played once stays, and a bouncing one runs back', () => {
  const times = [-10, 0, 30, 90, 100, 130, 190, 230]

  assert.deepEqual(
    strip(ramp({ loop: 'repeat' }), 1, times),
    ['999', '---', '333', '999', '---', '333', '999', '333'], // before its start it is where the previous turn was
  )
  assert.deepEqual(strip(ramp({ loop: 'once' }), 1, times), ['---', '---', '333', '999', 'XXX', 'XXX', 'XXX', 'XXX'])
  assert.deepEqual(strip(ramp({ loop: 'bounce' }), 1, times), ['111', '---', '333', '999', 'XXX', '777', '111', '333'])
})

test('each easing has its own way from one keyframe to the next', () => {
  const eased = (easing: 'step' | 'linear' | 'ease_in' | 'ease_out' | 'ease_in_out') =>
    [0.2, 0.5, 0.8].map((at) => {
      const keyframes = [{ ...RAMP[0], easing }, RAMP[1]]
      const [red = Number.NaN] = frameOf(ramp({ tracks: [track({ keyframes })] }), { group: 'a', pixels: 1 }, 100 * at)
      return Number(red.toFixed(4))
    })

  assert.deepEqual(eased('step'), [0, 0, 0])
  assert.deepEqual(eased('linear'), [0.2, 0.5, 0.8])
  assert.deepEqual(eased('ease_in'), [0.04, 0.25, 0.64])
  assert.deepEqual(eased('ease_out'), [0.36, 0.75, 0.96])
  assert.deepEqual(eased('ease_in_out'), [0.104, 0.5, 0.896])
})

test('colour and level go their ways apart', () => {
  const keyframes = [
    { at: 0, colour: '#ff0000', level: 0, easing: 'linear' },
    { at: 1, colour: '#0000ff', level: 1, easing: 'linear' },
  ] as const

  const [red, green, blue] = frameOf(ramp({ tracks: [track({ keyframes })] }), { group: 'a', pixels: 1 }, 50)

  // half of red and half of blue, each at half the level
  assert.deepEqual([red, green, blue], [0.25, 0, 0.25])
})

test('before the first keyframe a track shows the first, after the last one the last', () => {
  const keyframes = [
    { at: 0.4, colour: '#ff0000', level: 1, easing: 'step' },
    { at: 0.6, colour: '#00ff00', level: 1, easing: 'linear' },
  ] as const

  assert.deepEqual(strip(ramp({ tracks: [track({ keyframes })] }), 1, [0, 39, 41, 59, 60, 99]), [
    'X--',
    'X--',
    'X--',
    'X--',
    '-X-',
    '-X-',
  ])
})

test('with a spread of 1 a light runs along the pixels once in each duration, with -1 back', () => {
  const keyframes = [
    { at: 0, colour: '#ffffff', level: 1, easing: 'step' },
    { at: 0.25, colour: '#ffffff', level: 0, easing: 'step' },
  ] as const
  const times = [0, 25, 50, 75, 100]

  assert.deepEqual(strip(ramp({ tracks: [track({ keyframes, spread: 1 })] }), 4, times), [
    'XXX --- --- ---',
    '--- XXX --- ---',
    '--- --- XXX ---',
    '--- --- --- XXX',
    'XXX --- --- ---',
  ])
  assert.deepEqual(strip(ramp({ tracks: [track({ keyframes, spread: -1 })] }), 4, times), [
    '--- --- --- XXX',
    '--- --- XXX ---',
    '--- XXX --- ---',
    'XXX --- --- ---',
    '--- --- --- XXX',
  ])
  assert.deepEqual(strip(ramp({ tracks: [track({ keyframes, spread: 2 })] }), 8, [0]), [
    'XXX --- --- --- XXX --- --- ---',
  ])
})

test('a later track covers an earlier one on its pixels, what lies beyond the group is not drawn', () => {
  const steady = (colour: string) => [{ at: 0, colour, level: 1, easing: 'step' }] as const
  const picture = ramp({
    tracks: [
      track({ from: 1, count: 3, keyframes: steady('#ff0000') }),
      track({ from: 2, count: 1, keyframes: steady('#0000ff') }),
      track({ from: 5, keyframes: steady('#00ff00') }),
      track({ group: 'left', keyframes: steady('#ffffff') }),
    ],
  })

  assert.deepEqual(strip(picture, 7, [0]), ['--- X-- --X X-- --- -X- -X-'])
  assert.deepEqual(strip(picture, 3, [0]), ['--- X-- --X'])
  assert.deepEqual(strip(picture, 3, [0], 'left'), ['XXX XXX XXX'])
})

test('an animation that is played once ends when its last pixel has, others never do', () => {
  assert.equal(endOf(ramp({ loop: 'repeat' })), undefined)
  assert.equal(endOf(ramp({ loop: 'bounce' })), undefined)
  assert.equal(endOf(ramp({ loop: 'once' })), 100)
  assert.equal(endOf(ramp({ loop: 'once', tracks: [track({ keyframes: RAMP, spread: -2 })] })), 300)
  assert.equal(endOf(ramp({ tracks: [track({ keyframes: [RAMP[0]] })] })), 0, 'a steady colour never changes')
})

test('the example in the documents beats', () => {
  // ease_in to full at 120 ms: 0.3² and 0.7²; ease_out to dark at 360 ms: 1 - 0.35 (2 - 0.35)
  assert.deepEqual(strip(animationExample, 1, [0, 36, 84, 120, 204, 360, 1_000]), [
    '---',
    '1--',
    '5--',
    'X--',
    '4--',
    '---',
    '---',
  ])
})

test('the built-in templates look as their sentences say', () => {
  const drawn = (id: string, pixels: number, times: readonly number[], values = {}) => {
    const template = TEMPLATES.find((each) => each.id === id)
    assert.ok(template, id)
    return strip(withValues(template, template.parameters, values), pixels, times)
  }

  assert.deepEqual(drawn('steady', 2, [0, 777], { colour: '#ff0000', level: 0.5 }), ['5-- 5--', '5-- 5--'])
  assert.deepEqual(drawn('blink', 1, [0, 499, 500, 999, 1_000]), ['XXX', 'XXX', '---', '---', 'XXX'])
  assert.deepEqual(drawn('blink', 1, [0, 99, 100], { duration: 200 }), ['XXX', 'XXX', '---'])
  assert.deepEqual(drawn('strobe', 1, [50, 150, 250, 350, 900], { colour: '#00ff00' }), [
    '-X-',
    '---',
    '-X-',
    '---',
    '---',
  ])
  assert.deepEqual(drawn('breathe', 1, [0, 1_000, 2_000, 3_000, 4_000], { colour: '#0000ff', low: 0.2 }), [
    '--2',
    '--6',
    '--X',
    '--6',
    '--2',
  ])
  // the tail: 0, 1/4, 2/4 and 3/4 of a turn behind the light, of which 0.4 shine: 1 - w(2 - w) with w = 0.25 / 0.4
  assert.deepEqual(drawn('chase', 4, [0, 250], { colour: '#ff0000' }), ['X-- --- --- 1--', '1-- X-- --- ---'])
  assert.deepEqual(drawn('rainbow', 6, [0, 4_000 / 6]), ['X-- X-X --X -XX -X- XX-', 'XX- X-- X-X --X -XX -X-'])
  assert.deepEqual(drawn('wipe', 2, [0, 100, 350, 2_000]), ['--- ---', 'XXX ---', 'XXX XXX', 'XXX XXX'])
  assert.deepEqual(drawn('fade', 1, [0, 3_000, 6_000], { first: '#ff0000', second: '#0000ff' }), ['X--', '--X', 'X--'])
})
