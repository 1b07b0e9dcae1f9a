// What is told of those who were found, while strangers say what they like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PeerCandidates } from '../../../actors/discovery/peer-candidates.ts'
import type { Received } from '../../../machines/discovery/announcement.ts'
import { settle } from '../../support/clock/clock.ts'

const device = (n: number): Received => ({
  name: `device-${n}`,
  address: `10.12.34.${n}`,
  port: 5800,
  txt: { id: `0d0c2a5e-9c1b-4a52-8c0f-${String(n).padStart(12, '0')}`, v: '1.0' },
})

/** pass: lets a second pass, when somebody waits for it. */
const listed = () => {
  const told: number[] = []
  const waiting: { readonly ms: number; readonly pass: () => void }[] = []
  const candidates = new PeerCandidates({
    events: { publish: (_kind: unknown, fact: { revision: number }) => told.push(fact.revision) } as never,
    nowMs: () => 1_000,
    wait: (ms) => new Promise((resolve) => waiting.push({ ms, pass: resolve })),
    own: () => null,
  })
  const pass = async () => {
    assert.deepEqual(
      waiting.map(({ ms }) => ms),
      [1_000],
    )
    waiting.shift()?.pass()
    await settle()
  }
  return { candidates, told, waiting, pass }
}

test('the first change is told at once, and those of a second together', async () => {
  const { candidates, told, pass } = listed()

  for (let n = 1; n <= 60; n++) candidates.heard(device(n))
  assert.deepEqual(told, [1])
  await pass()
  assert.deepEqual(told, [1, 60])
  for (let n = 1; n <= 10; n++) candidates.gone(device(n))
  assert.deepEqual(told, [1, 60])
  await pass()

  assert.deepEqual(told, [1, 60, 70])
  assert.equal(candidates.revision, 70)
})

test('after a second in which nothing was new, the next change is told at once again', async () => {
  const { candidates, told, waiting, pass } = listed()
  candidates.heard(device(1))

  candidates.heard(device(1))
  await pass()
  assert.deepEqual([told, waiting], [[1], []])
  candidates.heard(device(2))

  assert.deepEqual(told, [1, 2])
})
