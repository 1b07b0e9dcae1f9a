// Who has the lights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Claim,
  nextExpiry,
  standingOf,
  withClaim,
  withoutExpired,
  withoutGroup,
  withoutOwner,
} from '../../../machines/lighting/claims.ts'
import { claimOf } from '../../support/lighting/claims.ts'

const claim = (owner: string, priority: number, fields: Partial<Claim> = {}): Claim =>
  claimOf(owner, { priority, ...fields })

const made = (...claims: readonly Claim[]) => claims.reduce<readonly Claim[]>(withClaim, [])

const ownersOf = (claims: readonly Claim[], group: string) => {
  const { holder, waiting } = standingOf(claims, group)
  return [holder?.owner, ...waiting.map(({ owner }) => owner)]
}

test('the highest priority has a group, and the others wait in their order', () => {
  const claims = made(claim('idle', 0), claim('person', 40), claim('robot', 50), claim('update', 16))

  assert.deepEqual(ownersOf(claims, 'ring'), ['robot', 'person', 'update', 'idle'])
  assert.deepEqual(ownersOf(made(claim('idle', 0), claim('person', 60), claim('robot', 50)), 'ring'), [
    'person',
    'robot',
    'idle',
  ])
  assert.deepEqual(ownersOf([], 'ring'), [undefined])
})

test('of the same priority the newer one has it', () => {
  const claims = made(claim('robot:b', 50, { since_ms: 5 }), claim('robot:a', 50, { since_ms: 9 }))

  assert.deepEqual(ownersOf(claims, 'ring'), ['robot:a', 'robot:b'])
})

test('an owner can want something else of one group, and of all again', () => {
  const all = claim('person', 40)
  const ofRing = claim('person', 40, { group: 'ring', since_ms: 3 })
  const claims = made(all, claim('robot', 30), ofRing)

  assert.equal(standingOf(claims, 'ring').holder, ofRing)
  assert.equal(standingOf(claims, 'left').holder, all)
  assert.deepEqual(ownersOf(claims, 'ring'), ['person', 'robot'], 'each owner is there once')
  assert.deepEqual(
    withClaim(claims, claim('person', 40, { since_ms: 4 })).map(({ owner, group }) => [owner, group]),
    [
      ['robot', null],
      ['person', null],
    ],
  )
  assert.equal(standingOf(withoutOwner(claims, 'person', 'ring'), 'ring').holder, all)
})

test('of a claim for all, giving one group back leaves those for the others', () => {
  const groups = ['ring', 'left', 'right']
  const claims = made(claim('robot', 30), claim('person', 40), claim('person', 40, { group: 'left', shows: 'off' }))

  const after = withoutGroup(claims, { owner: 'person', group: 'ring', groups })

  assert.deepEqual(
    groups.map((name) => [ownersOf(after, name)[0], standingOf(after, name).holder?.shows]),
    [
      ['robot', 'on'],
      ['person', 'off'],
      ['person', 'on'],
    ],
  )
})

test('a claim ends at its time', () => {
  const claims = made(claim('a', 1, { until_ms: 100 }), claim('b', 1, { until_ms: 200 }), claim('c', 1))

  assert.equal(nextExpiry(claims), 100)
  assert.deepEqual(
    withoutExpired(claims, 100).map(({ owner }) => owner),
    ['b', 'c'],
  )
  assert.equal(withoutExpired(claims, 99), claims)
  assert.equal(nextExpiry(withoutExpired(claims, 200)), undefined)
})

test('there are never more claims than can be looked through', () => {
  const groups = Array.from({ length: 500 }, (_, n) => claim('person', 40, { group: `group-${n}` }))

  const claims = made(...groups)

  assert.ok(claims.length < 200)
  assert.equal(claims.at(-1)?.group, 'group-499')
})
