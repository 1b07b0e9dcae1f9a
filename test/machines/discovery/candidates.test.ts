// The list of devices that were found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Heard } from '../../../machines/discovery/announcement.ts'
import { baseUrlOf } from '../../../machines/discovery/base-url.ts'
import {
  candidateView,
  type Entries,
  MAX_CANDIDATES,
  withGone,
  withHeard,
  withNextRound,
  withNobodyHeard,
  withSeen,
} from '../../../machines/discovery/candidates.ts'
import type { ProbeFinding } from '../../../machines/discovery/probe-result.ts'

const idOf = (n: number): string => `0d0c2a5e-9c1b-4a52-8c0f-${String(n).padStart(12, '0')}`
const heardAs = (n: number, more: Partial<Heard> = {}): Heard => ({
  device_id: idOf(n),
  base_url: `http://10.0.0.${n}:5800`,
  name: `device-${n}`,
  protocol_version: '1.0',
  fingerprint_hint: null,
  ...more,
})
const at = baseUrlOf('10.0.0.1', 5800)
const nobody: ProbeFinding = {
  kind: null,
  hello: null,
  fingerprint: null,
  fault: { code: 'peer.unreachable', detail: 'x' },
}
const native = (n: number): ProbeFinding => ({
  kind: 'native',
  fingerprint: null,
  fault: null,
  hello: { device_id: idOf(n), protocol_version: '1.0', capabilities: [], name: 'greets' },
})
const rounds = (entries: Entries, count: number): Entries =>
  Array.from({ length: count }).reduce<Entries>((now) => withNextRound(now), entries)

test('who is heard again is one candidate, first seen then and last seen now', () => {
  const twice = withHeard(withHeard([], heardAs(1), 1_000), heardAs(1), 2_000)

  const [only, ...others] = twice.map(candidateView)
  assert.deepEqual(others, [])
  assert.deepEqual([only?.first_seen_ms, only?.last_seen_ms, only?.found_by], [1_000, 2_000, ['dns-sd']])
})

test('a name that nobody can read is none', () => {
  for (const name of ['', '\u202etnorf', 'front\n']) {
    const greets = native(1)
    const seen: ProbeFinding = { ...greets, hello: { ...(greets.hello as NonNullable<ProbeFinding['hello']>), name } }

    const views = [withHeard([], heardAs(1, { name }), 0), withSeen([], at, seen, 0)].map(([only]) =>
      candidateView(only as Entries[number]),
    )

    assert.deepEqual(
      views.map((each) => each.name),
      [null, null],
      JSON.stringify(name),
    )
  }
})

test('who is heard on two networks is one candidate with two ways, and the first stays the first', () => {
  const other = heardAs(1, { base_url: 'http://10.0.9.1:5800' })
  let entries = withHeard(withHeard([], heardAs(1), 0), other, 0)
  entries = withHeard(withHeard(withNextRound(entries), other, 5), heardAs(1), 5)

  const { base_url, other_base_urls } = candidateView(entries[0] as Entries[number])
  assert.deepEqual([base_url, other_base_urls], ['http://10.0.0.1:5800', ['http://10.0.9.1:5800']])
  const left = rounds(entries, 3)
  const answered = withNextRound(withHeard(left, other, 20))
  assert.deepEqual(
    candidateView(answered[0] as Entries[number]).base_url,
    'http://10.0.9.1:5800',
    'the first way is gone',
  )
})

test('a device that has moved is shown where it is heard, also after four places at which it was looked at', () => {
  const looked = [1, 2, 3, 4].reduce<Entries>(
    (entries, n) => withSeen(entries, baseUrlOf(`10.0.1.${n}`, 5800), native(1), n),
    [],
  )
  const moved = withHeard(looked, heardAs(1, { base_url: 'http://10.0.2.1:5800' }), 5)

  const { base_url, other_base_urls } = candidateView(moved[0] as Entries[number])
  assert.equal(base_url, 'http://10.0.2.1:5800')
  assert.deepEqual(
    other_base_urls,
    [2, 3, 4].map((n) => `http://10.0.1.${n}:5800`),
    'the oldest is not shown any more',
  )
  const again = withSeen(moved, baseUrlOf('10.0.3.1', 5800), native(1), 6)
  assert.deepEqual(candidateView(again[0] as Entries[number]).other_base_urls.at(-1), 'http://10.0.3.1:5800')
})

test('of four places at which a device is heard none goes for a fifth when a round has just begun', () => {
  const place = (n: number) => heardAs(1, { base_url: `http://10.0.1.${n}:5800` })
  const four = [1, 2, 3, 4].reduce<Entries>((entries, n) => withHeard(entries, place(n), 0), [])

  const fifth = withHeard(withNextRound(four), place(5), 1)

  assert.deepEqual(
    fifth[0]?.places.map(({ base_url }) => base_url),
    [1, 2, 3, 4].map((n) => `http://10.0.1.${n}:5800`),
  )
  const [moved] = withHeard(rounds(four, 2), place(5), 2)
  assert.equal(moved?.places.at(-1)?.base_url, 'http://10.0.1.5:5800')
})

test('a device is shown over TLS first, by which it can be paired', () => {
  const tls = baseUrlOf('10.0.0.1', 5801, true)

  const [both] = withSeen(withSeen([], at, native(1), 0), tls, native(1), 1)

  const { base_url, other_base_urls } = candidateView(both as Entries[number])
  assert.deepEqual([base_url, other_base_urls], [tls.origin, [at.origin]])
})

test('who is silent for three rounds is gone, and who says goodbye at once', () => {
  const entries = withHeard([], heardAs(1), 0)

  assert.equal(rounds(entries, 3).length, 1)
  assert.equal(rounds(entries, 4).length, 0)
  assert.equal(rounds(withHeard(rounds(entries, 3), heardAs(1), 9), 3).length, 1)
  assert.equal(withGone(entries, idOf(1)).length, 0)
  assert.equal(withGone(entries, idOf(2)).length, 1)
  assert.equal(withNobodyHeard(entries).length, 0)
})

test('who was found at an address stays when he is silent, and goes when nobody is there any more', () => {
  const both = withSeen(withHeard([], heardAs(1), 0), at, native(1), 1)

  assert.deepEqual(
    both.map(candidateView).map(({ found_by, kind, name }) => [found_by, kind, name]),
    [[['dns-sd', 'address'], 'native', 'greets']],
  )
  const silent = rounds(both, 9)
  assert.deepEqual(
    silent.map(candidateView).map(({ found_by }) => found_by),
    [['address']],
  )
  assert.deepEqual(withSeen(silent, at, nobody, 2), [])
  assert.equal(withSeen(both, at, nobody, 2).length, 1, 'it says that it is there')
})

test('another device at an address takes the place of the one before', () => {
  const entries = withSeen(withSeen([], at, native(1), 0), at, native(2), 1)
  const page = withSeen(entries, at, { ...nobody, kind: 'legacy', fault: null }, 2)

  assert.deepEqual(
    entries.map(({ key }) => key),
    [idOf(2)],
  )
  assert.deepEqual(
    page.map(({ key }) => key),
    ['http://10.0.0.1:5800'],
  )
})

test('the list is bounded: strangers find no room, and make some for those who were found', () => {
  const full = Array.from({ length: MAX_CANDIDATES }, (_, n) => n + 1).reduce<Entries>(
    (entries, n) => withHeard(entries, heardAs(n), 0),
    [],
  )
  const address = (n: number) => heardAs(1, { base_url: `http://10.0.1.${n}:5800` })
  const ways = [1, 2, 3, 4, 5, 6].reduce<Entries>((entries, n) => withHeard(entries, address(n), 0), [])

  assert.equal(full.length, MAX_CANDIDATES)
  assert.equal(withHeard(full, heardAs(200), 0), full)
  const found = withSeen(full, baseUrlOf('10.0.9.9', 5800), native(201), 1)
  assert.deepEqual([found.length, found.at(-1)?.key], [MAX_CANDIDATES, idOf(201)])
  assert.equal(ways[0]?.places.length, 4)
})
