// Who may keep a connection when there are more than can be served.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  admission,
  hasRoomToListen,
  MAX_CONNECTIONS,
  MAX_LISTENERS,
  MAX_PER_ADDRESS,
  type Occupant,
  stillSinceMs,
} from '../../../machines/http/admission.ts'

const many = (count: number, address: string, idleSinceMs: number | null): Occupant[] =>
  Array.from({ length: count }, (_, n) => ({ address, idleSinceMs: idleSinceMs === null ? null : idleSinceMs + n }))

const crowd = (idleSinceMs: number | null): Occupant[] =>
  Array.from({ length: MAX_CONNECTIONS / MAX_PER_ADDRESS }, (_, n) =>
    many(MAX_PER_ADDRESS, `10.0.0.${n}`, idleSinceMs),
  ).flat()

test('as long as there is room, nobody has to go', () => {
  const almost = crowd(0).slice(1)

  assert.deepEqual(admission([], '10.0.0.1'), { outcome: 'room' })
  assert.deepEqual(admission(almost, '10.0.9.9'), { outcome: 'room' })
})

test('when all places are taken, who has been idle longest makes room', () => {
  const oldest = { address: '10.0.0.3', idleSinceMs: 7 }
  const occupants = [...crowd(100).slice(0, -1), oldest]

  assert.deepEqual(admission(occupants, '10.0.9.9'), { outcome: 'instead-of', occupant: oldest })
})

test('an address that has all it may have makes room itself, whoever else is idle', () => {
  const older = { address: '10.0.0.2', idleSinceMs: 0 }
  const own = many(MAX_PER_ADDRESS, '10.0.0.1', 1000)

  assert.deepEqual(admission([older, ...own], '10.0.0.1'), { outcome: 'instead-of', occupant: own[0] })
})

test('an address whose connections are all at work gets no more, though others are idle', () => {
  const occupants = [{ address: '10.0.0.2', idleSinceMs: 0 }, ...many(MAX_PER_ADDRESS, '10.0.0.1', null)]

  assert.deepEqual(admission(occupants, '10.0.0.1'), { outcome: 'full', limit: MAX_PER_ADDRESS, of: 'address' })
  assert.deepEqual(admission(occupants, '10.0.0.3'), { outcome: 'room' })
})

test('nobody who is at work has to go, however many there are', () => {
  assert.deepEqual(admission(crowd(null), '10.0.9.9'), { outcome: 'full', limit: MAX_CONNECTIONS, of: 'all' })
})

test('this device itself may have every place, and makes room for others', () => {
  for (const address of ['127.0.0.1', '::1', '127.0.0.9']) {
    const own = many(MAX_CONNECTIONS - 1, address, 0)
    assert.deepEqual(admission(own, address), { outcome: 'room' })
    const all = [...own, { address, idleSinceMs: 500 }]
    assert.deepEqual(admission(all, address), { outcome: 'instead-of', occupant: own[0] })
    assert.deepEqual(admission(all, '10.0.0.1'), { outcome: 'instead-of', occupant: own[0] })
  }
})

const listeners = (count: number, address: string): Occupant[] =>
  many(count, address, null).map((each) => ({ ...each, isListener: true }))

test('who listens to events takes no place from others, on this device', () => {
  const listening = listeners(MAX_LISTENERS, '127.0.0.1')
  const almost = many(MAX_CONNECTIONS - 1, '127.0.0.1', null)

  for (const address of ['127.0.0.1', '10.0.0.1'])
    assert.deepEqual(admission([...listening, ...almost], address), { outcome: 'room' })
  const full = { outcome: 'full', limit: MAX_CONNECTIONS }
  const all = [...listening, ...many(MAX_CONNECTIONS, '127.0.0.1', null)]
  assert.deepEqual(admission(all, '127.0.0.1'), { ...full, of: 'address' })
  assert.deepEqual(admission(all, '10.0.0.1'), { ...full, of: 'all' })
})

test('an address of the network has as many connections as others, of whatever sort', () => {
  const own = [...listeners(MAX_PER_ADDRESS - 1, '10.0.0.1'), ...many(1, '10.0.0.1', null)]

  assert.deepEqual(admission(own, '10.0.0.1'), { outcome: 'full', limit: MAX_PER_ADDRESS, of: 'address' })
  assert.deepEqual(admission(own.slice(1), '10.0.0.1'), { outcome: 'room' })
})

test('there are so many places for those who listen', () => {
  const others = many(MAX_CONNECTIONS, '127.0.0.1', null)

  assert.equal(hasRoomToListen([...others, ...listeners(MAX_LISTENERS - 1, '127.0.0.1')]), true)
  assert.equal(hasRoomToListen([...others, ...listeners(MAX_LISTENERS, '127.0.0.1')]), false)
})

test('what moves on is not idle, what trickles is', () => {
  const [beganMs, nowMs] = [1_000, 21_000]

  assert.equal(stillSinceMs(beganMs, 0, nowMs), beganMs)
  assert.ok(stillSinceMs(beganMs, 20 * 10, nowMs) < beganMs + 100, 'ten bytes a second')
  assert.equal(stillSinceMs(beganMs, 20 * 35_000, nowMs), nowMs, 'a megabyte within its limit')
})
