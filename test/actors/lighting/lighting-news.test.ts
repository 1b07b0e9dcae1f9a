// What everybody hears of the lights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LightingNews } from '../../../actors/lighting/lighting-news.ts'
import { LightingView } from '../../../actors/lighting/lighting-view.ts'
import { MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'
import { claimOf } from '../../support/lighting/claims.ts'

const listening = () => {
  const clock = new HandClock()
  const view = new LightingView()
  const told: unknown[] = []
  const events = {
    publish: (_: unknown, { data }: { data: { groups: { owner: unknown }[] } }) => told.push(data.groups[0]?.owner),
  }
  const directory = { settings: createSettingsStore(), events } as never
  const news = new LightingNews({ directory, view, delivered: MADE_UP_LIGHTING, later: clock.later })
  return { clock, view, told, news }
}

test('who has the lights is told at once, four times a second at most, and what stands in the end always', () => {
  const { clock, view, told, news } = listening()

  for (let n = 1; n <= 50; n++) {
    view.claims = n % 2 === 1 ? [claimOf('robot:front', { kind: 'robot' })] : []
    news.look()
    clock.advance(20)
  }
  view.claims = [claimOf('person')]
  news.look()
  clock.advance(250)
  news.look()

  assert.ok(told.length >= 4 && told.length <= 6, `${told.length} in a second`)
  assert.deepEqual([told[0], told.at(-1)], ['robot', 'person'])

  news.end()
  assert.equal(clock.timers, 0)
})

test('who waits, and until when somebody has them, is told as well', () => {
  const { clock, view, told, news } = listening()
  const robot = claimOf('robot:front', { kind: 'robot' })
  for (const claims of [[robot], [robot, claimOf('person', { priority: 1 })], [{ ...robot, until_ms: 5_000 }]]) {
    view.claims = claims
    news.look()
    clock.advance(250)
  }

  assert.deepEqual(told, ['robot', 'robot', 'robot'])
  news.end()
})

test('that outputs are looked for again is told only when some are found', () => {
  const { clock, view, told, news } = listening()
  for (const state of ['finding', 'absent', 'finding', 'absent', 'finding', 'lit'] as const) {
    view.state = state
    news.look()
    clock.advance(250)
  }

  assert.equal(told.length, 3)
  news.end()
})
