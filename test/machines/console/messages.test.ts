// What a client of a console session says in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readOrder } from '../../../machines/console/messages.ts'

test('orders are read, and whatever else is said is answered with a sentence', () => {
  assert.deepEqual(readOrder('{"kind":"resize","columns":120,"rows":40}'), { kind: 'resize', columns: 120, rows: 40 })
  assert.deepEqual(readOrder('{"kind":"signal","signal":"SIGINT"}'), { kind: 'signal', signal: 'SIGINT' })
  assert.equal(readOrder('ls'), 'a text message is JSON: what is typed goes in binary messages')
  assert.equal(readOrder('null'), 'kind must be resize, signal or drawn')
  assert.match(String(readOrder('{"kind":"resize","columns":0,"rows":40}')), /^\/columns of the message /)
  assert.match(String(readOrder('{"kind":"resize","columns":80}')), /rows/)
  assert.match(String(readOrder('{"kind":"signal","signal":"SIGSEGV"}')), /^\/signal of the message /)
})

test('nothing that is said throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      readOrder(text)
    }),
  )
})
