// JSON control messages, good and bad.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClientText, readServerText, updated } from '../../../native/nt4/control.ts'

test('one bad element does not spoil the others', () => {
  const announce = { method: 'announce', params: { name: '/a', id: 1, type: 'double', properties: { any: [1] } } }
  const bad = [
    7,
    null,
    'text',
    [],
    {},
    { method: 'announce' },
    { method: 'announce', params: [] },
    { method: 'announce', params: { name: 1, id: 1, type: 'double' } },
    { method: 'announce', params: { name: '/a', id: '1', type: 'double' } },
    { method: 'announce', params: { name: '/a', id: 1 } },
    { method: 'properties', params: { name: '/a' } },
    { method: 7, params: {} },
    { method: 'dance', params: { name: '/a', id: 1 } },
  ]

  const read = readServerText(JSON.stringify([announce, ...bad, announce]))

  assert.equal(read.bad, bad.length)
  assert.deepEqual(read.messages, Array(2).fill({ method: 'announce', ...announce.params }))
})

test('what is no list of elements is one bad message', () => {
  for (const text of ['', '{', '{}', 'null', '7', '[', '"a"'])
    assert.deepEqual(readClientText(text), { messages: [], bad: 1 }, text)
})

test('a client message without its ids or with wrong kinds is bad', () => {
  const bad = [
    { method: 'publish', params: { name: '/a', pubuid: 1.5, type: 'double', properties: {} } },
    { method: 'publish', params: { name: '', pubuid: 1, type: 'double', properties: {} } },
    { method: 'publish', params: { name: '/a', pubuid: 1, type: 3 } },
    { method: 'unpublish', params: { pubuid: '1' } },
    { method: 'setproperties', params: { name: '/a', update: null } },
    { method: 'subscribe', params: { topics: '/a', subuid: 1 } },
    { method: 'subscribe', params: { topics: [1], subuid: 1 } },
    { method: 'subscribe', params: { topics: ['/a'] } },
    { method: 'unsubscribe', params: {} },
  ]

  assert.deepEqual(readClientText(JSON.stringify(bad)), { messages: [], bad: bad.length })
})

test('an update changes named properties, null removes, the rest stays', () => {
  assert.deepEqual(updated({ a: 1, b: 2, c: 3 }, { a: null, b: 9, d: 4 }), { b: 9, c: 3, d: 4 })
})
