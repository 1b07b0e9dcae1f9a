// What the benchmark of viewers refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { othersUs, oursUs, refuseWhatMayHide, type Turn } from './crowds.ts'

const [ROUNDS, SECONDS, PICTURES] = [7, 8, 960]
const THEIRS_US = 20

/**
 * Rounds with 32 viewers. hidden: µs for each picture and viewer, used by threads that are not counted; jitter: of what
 * these use in a second, of 18,000 µs.
 */
const rounds = ({ hidden = 0, jitter = 0.05 }): readonly Turn[] => {
  let seed = 1
  const random = () => {
    seed = (seed * 48271) % 0x7fffffff
    return seed / 0x7fffffff
  }
  const second = (us: number) =>
    (isGarbageCollected(random()) ? us + 20_000 : us) * (1 - jitter + 2 * jitter * random())
  const others = (us: number) => Array.from({ length: SECONDS }, () => second(us))
  const usage = { counted: 3000, writing: 1200, worker: 1500, control: 4000, all: 20_000, controlBytes: 0 }
  return Array.from({ length: ROUNDS }, () => ({
    ours: {
      ...usage,
      counted: 3000 + THEIRS_US * PICTURES,
      others: others(18_000 + hidden * PICTURES),
      pictures: PICTURES,
      minShare: 1,
      besideUs: 100,
    },
    idle: { ...usage, others: others(18_000) },
    theirs: { us: 100 + THEIRS_US * PICTURES, pictures: PICTURES, idleUs: 100 },
  }))
}

const isGarbageCollected = (chance: number): boolean => chance < 0.1

test('a cost per picture and viewer in threads that are not counted is seen, beside garbage collections', () => {
  const { measured, low, high } = othersUs(rounds({ hidden: 1 }))

  assert.ok(Math.abs(measured - 1) < 0.5 && low > 0 && high < 2, `${low} to ${high}`)
})

test('where something hides in them, or much could, there is no figure', () => {
  refuseWhatMayHide(rounds({}))

  assert.throws(() => refuseWhatMayHide(rounds({ hidden: 4 })), /use [34].*of 20\.00 that the reference uses/)
  assert.throws(() => refuseWhatMayHide(rounds({ jitter: 0.9 }).slice(1, 2)), /there is no figure/)
})

test('what a viewer costs is what more is used than while he watches the other', () => {
  const [turn] = rounds({}) as [Turn]

  assert.equal(oursUs(turn), THEIRS_US)
})
