// The lights on lamps that are made up: what shines when, and that nothing shines on when it should not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { Player } from '../../../actors/lighting/player.ts'
import type { Claim } from '../../../machines/lighting/claims.ts'
import { MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import { blinking, steady } from '../../../machines/lighting/show.ts'
import { settle } from '../../support/clock/clock.ts'
import { claimOf } from '../../support/lighting/claims.ts'
import { handLights } from '../../support/lighting/hand-lights.ts'

const lit = async (t: Parameters<typeof handLights>[0], claim: Partial<Claim> = {}) => {
  const hand = await handLights(t)
  await askNow(hand.actor, { type: 'lighting.claim', claims: [claimOf('person', claim)] })
  assert.equal(hand.seen(), 255)
  return hand
}

test('a claim shines at once, for as long as the process is there to say so', async (t) => {
  const { clock, seen } = await lit(t)

  for (let n = 0; n < 50; n++) {
    clock.advance(100)
    assert.equal(seen(), 255)
  }
  clock.compute(699)
  assert.equal(seen(), 255, 'who is busy for a moment loses no light')
  clock.compute(2)
  assert.equal(seen(), 0, 'who is gone does')
})

test('a moving picture is planned ahead: a process that is busy for a moment is not seen', async (t) => {
  const { clock, seen } = await lit(t, { since_ms: 1_000, picture: blinking({ on_ms: 100, off_ms: 100 }) })

  const shown = []
  for (let n = 0; n < 4; n++) {
    clock.compute(50) // from 1050 on, and no timer goes off meanwhile
    shown.push(seen())
    clock.compute(50)
  }

  assert.deepEqual(shown, [255, 0, 255, 0])
})

test('where all is dark, or nothing lights, nobody looks at the clock', async (t) => {
  const dark = await handLights(t)
  assert.deepEqual([dark.clock.timers, dark.seen()], [0, 0])
  await dark.store({ signals: { starting: { command: 'on' }, link_lost: null, target_seen: null, update_runs: null } })
  assert.equal(dark.clock.timers, 1)

  dark.lights.outputs = []
  await dark.store({ gamma: 2 })
  dark.clock.advance(10_000)

  assert.equal(dark.view.state, 'absent')
  assert.equal(dark.clock.timers, 0)
})

test('an order that ends by its time gives the light to who is next', async (t) => {
  const { actor, clock, seen, view } = await lit(t, { until_ms: 61_000, priority: 60 })
  actor.send({ type: 'claim.made', claim: claimOf('robot:front', { picture: steady('#800000', 1), priority: 50 }) })
  assert.equal(seen(), 255)

  clock.advance(59_999)
  assert.equal(seen(), 255)
  clock.advance(1)

  assert.deepEqual(
    view.claims.map(({ owner }) => owner),
    ['robot:front'],
  )
  assert.equal(seen(), 56) // (128 / 255) to the power of 2.2, of 255
})

test('a device that is too warm has no light, and has it again when it is five degrees cooler', async (t) => {
  const { warm, seen, recorded, view } = await lit(t, { priority: 100 })

  warm(79.9)
  assert.equal(seen(), 255)
  warm(80)
  assert.equal(seen(), 0)
  warm(75.1)
  assert.equal(seen(), 0)
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['lighting.too_hot'],
  )
  assert.match(recorded[0]?.detail ?? '', /is at 80 °C/)

  warm(75)
  assert.equal(seen(), 255)
  assert.equal(view.isCut, false)
})

test('who does not want lights to go off with heat has them on', async (t) => {
  const { warm, seen, store } = await lit(t)

  warm(95)
  await store({ max_celsius: null })

  assert.equal(seen(), 255)
})

test('the end of the actor is the end of the light', async (t) => {
  const { lights, end } = await lit(t)

  await end()

  assert.equal(lights.held, null)
})

test('when what holds the lamps is killed, they are taken again at once and show what was wanted', async (t) => {
  const { lights, delays, seen, recorded, actor } = await lit(t)

  lights.held?.end({ code: 'device.failed', detail: 'the program was killed' })
  await settle()
  assert.ok(actor.getSnapshot().matches('failed'))
  assert.equal(seen(), undefined)
  assert.deepEqual(
    recorded.map(({ code, detail }) => [code, detail]),
    [['lighting.failed', 'The lights do not work: the program was killed']],
  )

  delays.increment(50)
  await settle()

  assert.equal(seen(), 255)
  assert.equal(actor.getSnapshot().context.fault, null)
})

test('what cannot be had is tried again, ever more seldom, and orders hear why', async (t) => {
  const { lights, delays, actor } = await lit(t)
  lights.fault = { code: 'device.failed', detail: 'the bus hangs' }
  let finds = 0
  const { find } = lights
  Object.assign(lights, {
    find: async () => {
      finds += 1
      return find()
    },
  })

  lights.held?.end(lights.fault)
  await settle()
  const answer = await askNow(actor, { type: 'lighting.claim', claims: [claimOf('person')] })
  for (let second = 0; second < 60; second++) {
    delays.increment(1_000)
    await settle()
  }

  assert.deepEqual(answer.outcome === 'done' ? answer : answer.fault, {
    code: 'lighting.failed',
    detail: 'The lights do not work: the bus hangs',
  })
  assert.ok(finds >= 8 && finds <= 12, `${finds} tries in a minute`)
})

test('an output that fails is told, and the others go on', async (t) => {
  const { lights, view, seen, recorded } = await lit(t)

  lights.held?.news.output?.('fake:left', 'it was unplugged')

  assert.deepEqual([...view.failing], [['fake:left', 'it was unplugged']])
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['lighting.output_failed', 'lighting/fake:left']],
  )
  assert.equal(seen(), 255)

  lights.held?.news.output?.('fake:left', null)
  assert.equal(view.failing.size, 0)
})

test('a new configuration is in force at once, and whoever wanted light still does', async (t) => {
  const { store, seen, lights } = await lit(t)
  const before = lights.held

  await store({ max_duty: 0.5 })

  assert.notEqual(lights.held, before)
  assert.equal(seen(), 128)
})

test('what the device shows of itself can be set without putting the lamps off for a moment', async (t) => {
  const { store, seen, lights } = await lit(t)
  const before = lights.held

  await store({ idle: { command: 'on' }, blink: { on_ms: 30, off_ms: 30 } })

  assert.equal(lights.held, before)
  assert.equal(seen(), 255)
})

test('a robot blinks as the configuration says, also when that changes', async (t) => {
  const { store, claims, view } = await handLights(t)
  claims.setLedMode('front', 2)
  assert.deepEqual([view.claims[0]?.owner, view.claims[0]?.picture.duration_ms], ['robot:front', 500])

  await store({ blink: { on_ms: 40, off_ms: 60 } })

  assert.equal(view.claims[0]?.picture.duration_ms, 100)

  claims.setLedMode('front', 0)
  assert.deepEqual(view.claims, [])
})

test('what a robot wanted is known to the next actor, what people told is not', async (t) => {
  const { claims, actor } = await handLights(t)
  claims.setLedMode('front', 3)
  await askNow(actor, { type: 'lighting.claim', claims: [claimOf('person')] })

  assert.deepEqual(
    claims.all().map(({ owner }) => owner),
    ['robot:front'],
  )
})

test('the device shows how it is: that it starts, and that an update runs', async (t) => {
  const { clock, world, store, view } = await handLights(t)
  const on = { command: 'on' } as const
  const owners = () => view.claims.map(({ owner, why }) => [owner, why])
  await store({ signals: { starting: on, link_lost: on, target_seen: on, update_runs: on }, idle: { command: 'on' } })

  world.server = 'binding'
  clock.advance(1_000)
  assert.deepEqual(owners(), [
    ['idle', 'Nobody wants anything else.'],
    ['device:starting', 'The service is starting.'],
  ])

  world.server = 'listening'
  world.update = 'applying'
  clock.advance(1_000)
  assert.deepEqual(owners(), [
    ['idle', 'Nobody wants anything else.'],
    ['device:update_runs', 'An update runs: leave the power on.'],
  ])

  world.update = 'idle'
  await store({})
  clock.advance(1_000)
  assert.deepEqual(owners(), [])
})

test('what is set up and cannot be shown is recorded once, and again when it comes back', async (t) => {
  const { recorded, store } = await handLights(t)
  const idle = { command: 'animation', animation: 'gone' } as const

  await store({ idle })
  await store({ idle, gamma: 2 })
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['lighting.not_shown'],
  )
  assert.match(recorded[0]?.detail ?? '', /\/idle\/animation there is neither a saved animation nor a template gone/)

  await store({})
  await store({ idle })
  assert.equal(recorded.length, 2)
})

test('pictures that take long to be computed come more seldom, and a hundred changes at once are one', async (t) => {
  const { clock, lights, view } = await lit(t, { picture: blinking({ on_ms: 100, off_ms: 100 }) })
  const held = lights.held
  assert.ok(held)
  const plays: number[] = []
  const stage = {
    lit: { play: (frames: readonly object[]) => plays.push(frames.length) },
    outputs: [],
    config: MADE_UP_LIGHTING,
  }
  const slow = () => {
    clock.compute(150) // each look at the clock
    return clock.monotonicUs()
  }
  const player = new Player({ ...stage, nowUs: slow, later: clock.later }, view.claims, false)

  for (let n = 0; n < 100; n++) player.set([...view.claims], false)
  player.stop()

  assert.ok(plays.length < 30, `${plays.length} plays`)
  assert.ok((plays.at(-1) ?? 99) < 30, 'fewer pictures than sixty a second')
})
