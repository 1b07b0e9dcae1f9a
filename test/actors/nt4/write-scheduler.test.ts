import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Turn, WriteScheduler } from '../../../actors/nt4/write-scheduler.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'

/**
 * A scheduler of a clock by hand. wait: from and until so many ms from now. had: who had a turn and when, ms from
 * the beginning.
 */
const played = () => {
  const clock = new HandClock()
  const startMs = clock.monotonicUs() / 1_000
  let timersSet = 0
  const turns = new WriteScheduler(clock.monotonicUs, (delayMs, callback) => {
    timersSet += 1
    return clock.later(delayMs, callback)
  })
  const had: [name: string, atMs: number][] = []
  const wait = (name: string, fromMs: number, untilMs: number, also: () => void = () => {}): Turn => {
    const nowUs = clock.monotonicUs()
    const turn: Turn = {
      fromUs: nowUs + 1_000 * fromMs,
      untilUs: nowUs + 1_000 * untilMs,
      take: (atUs) => {
        had.push([name, atUs / 1_000 - startMs])
        also()
      },
    }
    turns.wait(turn)
    return turn
  }
  return { clock, turns, wait, had, timersSet: () => timersSet }
}

test('those who can wait have their turn together, at the last of their beginnings', () => {
  const { clock, wait, had } = played()

  wait('a', 5, 15)
  wait('b', 12, 22)
  wait('c', 9, 19)
  clock.advance(100)

  assert.deepEqual(had, [
    ['a', 12],
    ['b', 12],
    ['c', 12],
  ])
  assert.equal(clock.timers, 0)
})

test('whoever cannot wait is called in time, and those who may be called by then with him', () => {
  const { clock, wait, had } = played()

  wait('a', 5, 15)
  wait('now', 7, 7)
  wait('b', 12, 22)
  clock.advance(100)

  assert.deepEqual(had, [
    ['a', 7],
    ['now', 7],
    ['b', 12],
  ])
})

test('those who wait each time, apart at first, come together and need one timer for each turn', () => {
  const { clock, wait, had, timersSet } = played()
  const again = (name: string) => {
    wait(name, 20, 30, () => again(name))
  }
  for (const name of ['a', 'b', 'c', 'd']) {
    again(name)
    clock.advance(4.5)
  }
  clock.advance(200)
  const [timers, turns] = [timersSet(), had.length]

  clock.advance(2_000)

  const times = new Set(had.slice(turns).map(([, atMs]) => atMs))
  assert.equal(had.length - turns, 4 * times.size)
  assert.ok(timersSet() - timers <= times.size, `${timersSet() - timers} timers`)
  assert.ok(times.size >= 95, `${times.size} turns`)
})

test('a turn that is given up, also in the midst of the turn of another, is not had', () => {
  const { clock, turns, wait, had } = played()

  const early = wait('early', 5, 5)
  turns.cancel(early)
  let late: Turn | undefined
  wait('a', 10, 10, () => late && turns.cancel(late))
  late = wait('late', 10, 10)
  clock.advance(100)

  assert.deepEqual(had, [['a', 10]])
})
