// What orders mean as pictures, and what is told of those that mean nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animationExample } from '../../../machines/lighting/animation.ts'
import { type Claim, standingOf, withClaims } from '../../../machines/lighting/claims.ts'
import { claimsOf, type LightingCommand } from '../../../machines/lighting/command.ts'
import { MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import { frameOf } from '../../../machines/lighting/frame.ts'
import { ledPicture } from '../../../machines/lighting/led-mode.ts'
import type { ShowLibrary } from '../../../machines/lighting/show.ts'
import { TEMPLATES } from '../../../machines/lighting/templates.ts'

const library: ShowLibrary = {
  blink: { on_ms: 300, off_ms: 700 },
  find: (name) => (name === 'heartbeat' ? animationExample : TEMPLATES.find(({ id }) => id === name)),
}
const groups = [{ name: 'ring' }, { name: 'left' }]

const told = (body: LightingCommand, claims: readonly Claim[] = []) =>
  claimsOf(body, { claims, groups, library, now_ms: 5_000 })

const allMade = (body: LightingCommand, claims: readonly Claim[] = []): readonly Claim[] => {
  const made = told(body, claims)
  assert.ok(!('pointer' in made), JSON.stringify(made))
  return made
}

const made = (body: LightingCommand, claims: readonly Claim[] = []): Claim => {
  const [claim, ...others] = allMade(body, claims)
  assert.ok(claim && others.length === 0)
  return claim
}

/** What is claimed after these commands. */
const after = (...commands: readonly LightingCommand[]): readonly Claim[] =>
  commands.reduce<readonly Claim[]>((claims, body) => withClaims(claims, allMade(body, claims)), [])

/** Red, green and blue of a pixel, in hundredths. */
const pixelOf = ({ picture }: Pick<Claim, 'picture'>, at_ms: number, group = 'ring') =>
  [...frameOf(picture, { group, pixels: 1 }, at_ms)].map((value) => Math.round(100 * value))

test('each command shows what it says', () => {
  assert.deepEqual(pixelOf(made({ command: 'off' }), 0), [0, 0, 0])
  assert.deepEqual(pixelOf(made({ command: 'on' }), 0), [100, 100, 100])
  assert.deepEqual(pixelOf(made({ command: 'on', colour: '#ff0000', level: 0.5 }), 0), [50, 0, 0])
  assert.deepEqual(pixelOf(made({ command: 'colour', colour: '#0000ff' }), 0), [0, 0, 100])
  const blink = made({ command: 'blink', colour: '#00ff00' })
  assert.deepEqual(
    [0, 299, 300, 999, 1_000].map((at) => pixelOf(blink, at)[1]),
    [100, 100, 0, 0, 100],
  )
  assert.deepEqual(
    [99, 100].map((at) => pixelOf(made({ command: 'blink', on_ms: 100, off_ms: 50 }), at)[0]),
    [100, 0],
  )
  assert.deepEqual(pixelOf(made({ command: 'animation', animation: 'heartbeat', level: 0.5 }), 120), [50, 0, 0])
  const steady = { command: 'animation', animation: 'steady', parameters: { colour: '#00ff00', level: 0.25 } } as const
  assert.deepEqual(pixelOf(made(steady), 0), [0, 25, 0])
})

test('a command lasts ten minutes or as long as it says, and waits for a robot unless it says otherwise', () => {
  const { owner, priority, since_ms, until_ms, group } = made({ command: 'on' })
  assert.deepEqual([owner, priority, since_ms, until_ms, group], ['person', 40, 5_000, 605_000, null])
  const said = made({ command: 'on', group: 'left', priority: 77, ttl_ms: 1_000 })
  assert.deepEqual([said.priority, said.until_ms, said.group], [77, 6_000, 'left'])
})

test('another brightness is of what was told before, which goes on where it was', () => {
  const blink = { ...made({ command: 'blink', colour: '#ff0000', level: 0.5 }), since_ms: 1_000 }

  const brighter = made({ command: 'brightness', level: 0.8 }, [blink])

  assert.deepEqual([brighter.shows, brighter.since_ms, brighter.until_ms], ['blink', 1_000, 605_000])
  assert.deepEqual(pixelOf(brighter, 0), [80, 0, 0])
  assert.deepEqual(pixelOf(made({ command: 'brightness', level: 0.3 }), 0), [30, 30, 30], 'of nothing it is white')
  assert.deepEqual(pixelOf(made({ command: 'brightness', level: 0.3 }, [made({ command: 'off' })]), 0), [30, 30, 30])
})

test('brightness is of the command as it was told: dark and bright again it has its colour, and moves on', () => {
  const animated = { command: 'animation', animation: 'rainbow', level: 0.5 } as const
  const blink = { command: 'blink', colour: '#ff0000', level: 0 } as const

  for (const told of [animated, blink, { command: 'colour', colour: '#00ff00', level: 0.2 } as const]) {
    const dark = after(told, { command: 'brightness', level: 0 })
    const again = after(told, { command: 'brightness', level: 0 }, { command: 'brightness', level: 0.4 })

    assert.deepEqual(pixelOf(dark[0] as Claim, 0), [0, 0, 0])
    assert.deepEqual(
      again.map(({ picture, shows, group }) => [picture, shows, group]),
      after({ ...told, level: 0.4 }).map(({ picture, shows, group }) => [picture, shows, group]),
    )
  }
})

test('brightness of all lights leaves each group what it was told', () => {
  const claims = after(
    { command: 'colour', colour: '#ff0000' },
    { command: 'colour', colour: '#0000ff', group: 'left', priority: 60 },
    { command: 'brightness', level: 0.5 },
  )
  const shown = (group: string) => {
    const { holder } = standingOf(claims, group)
    assert.ok(holder)
    return [...pixelOf(holder, 0, group), holder.priority]
  }

  assert.deepEqual(shown('ring'), [50, 0, 0, 40])
  assert.deepEqual(shown('left'), [0, 0, 50, 60])
  assert.deepEqual(
    claims.map(({ group }) => group),
    [null, 'left'],
  )
})

test('brightness of one group is of what all were told, and of that group alone', () => {
  const claims = after({ command: 'colour', colour: '#ff0000' }, { command: 'brightness', level: 0.5, group: 'left' })

  const shown = groups.map(({ name }) => pixelOf(standingOf(claims, name).holder as Claim, 0, name))
  assert.deepEqual(shown, [
    [100, 0, 0],
    [50, 0, 0],
  ])
})

test('brightness without a priority keeps the one of the command before', () => {
  const before = { command: 'on', priority: 60 } as const

  assert.equal(after(before, { command: 'brightness', level: 0.5 })[0]?.priority, 60)
  assert.equal(after(before, { command: 'brightness', level: 0.5, priority: 45 })[0]?.priority, 45)
  assert.equal(after({ command: 'off', priority: 60 }, { command: 'brightness', level: 0.5 })[0]?.priority, 60)
})

test('what cannot be shown is told with its place', () => {
  const places = (body: LightingCommand) => {
    const claim = told(body)
    return 'pointer' in claim ? claim.pointer : 'shown'
  }

  assert.equal(places({ command: 'on', group: 'nowhere' }), '/group')
  assert.equal(places({ command: 'colour' }), '/colour')
  assert.equal(places({ command: 'brightness' }), '/level')
  assert.equal(places({ command: 'animation' }), '/animation')
  assert.equal(places({ command: 'animation', animation: 'nothing' }), '/animation')
  assert.equal(
    places({ command: 'animation', animation: 'heartbeat', parameters: { colour: '#ff0000' } }),
    '/parameters',
  )
  const breathe = (parameters: Record<string, string | number>) =>
    places({ command: 'animation', animation: 'breathe', parameters })
  assert.equal(breathe({ color: '#ff0000' }), '/parameters/color')
  assert.equal(breathe({ colour: 5 }), '/parameters/colour')
  assert.equal(breathe({ low: 2 }), '/parameters/low')
  assert.equal(breathe({ low: '#ff0000' }), '/parameters/low')
  assert.equal(breathe({ duration: 100.5 }), '/parameters/duration')
  assert.equal(breathe({ duration: 100, low: 0, colour: '#ff0000' }), 'shown')
})

test('each ledMode of a robot lights the halves that it is for', () => {
  const blink = { on_ms: 100, off_ms: 100 }
  const halves = (mode: number, config = { groups: MADE_UP_LIGHTING.groups, blink }) => {
    const asked = ledPicture(mode, config)
    if (!asked) return 'the device has them'
    const at = (ms: number) =>
      ['left', 'right', 'ring'].map((group) => (pixelOf(asked, ms, group)[0] ? 'X' : '-')).join('')
    return `${at(50)} ${at(150)}`
  }

  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((mode) => halves(mode)),
    [
      'the device has them',
      '--- ---',
      'XXX ---',
      'XXX XXX',
      'X-- X--',
      '-X- -X-',
      'X-- -X-',
      'X-- ---',
      '-X- ---',
      'the device has them',
    ],
  )
  const ring = MADE_UP_LIGHTING.groups.filter(({ name }) => name === 'ring')
  assert.deepEqual(
    [4, 5, 6, 7, 8].map((mode) => halves(mode, { groups: ring, blink })),
    ['XXX XXX', 'XXX XXX', 'XXX ---', 'XXX ---', 'XXX ---'],
  )
})
