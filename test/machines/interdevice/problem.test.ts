// What is made of the words of another device that refuses something.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemIn } from '../../../machines/interdevice/problem.ts'

const said = (more: object) => JSON.stringify({ code: 'stream.not_found', detail: 'no front', status: 404, ...more })

test('a problem document is understood, and may be passed on when it is about this answer', () => {
  const understood = { code: 'stream.not_found', said: 'stream.not_found', detail: 'no front', refusesUs: false }

  assert.deepEqual(problemIn(404, said({})), { ...understood, isWhole: true })
  for (const status of [503, '404', undefined])
    assert.deepEqual(problemIn(404, said({ status })), { ...understood, isWhole: false })
})

test('a code of a newer device is none of ours, and its document is whole all the same', () => {
  const { code, detail, isWhole } = problemIn(404, said({ code: 'of.a_newer_version' }))

  assert.deepEqual([code, detail, isWhole], [undefined, 'no front', true])
})

test('a sentence has an end', () => {
  assert.equal(problemIn(404, said({ detail: 'x'.repeat(10_000) })).detail?.length, 400)
})

test('a sentence changes nothing of what stands around it', () => {
  assert.equal(problemIn(404, said({ detail: 'no\n12:00 front\u202e' })).detail, 'no\\u{a}12:00 front\\u{202e}')
})

test('what speaks of who asks is known by its status, whatever it says', () => {
  for (const status of [401, 403])
    for (const body of [said({ status }), '', '<html>']) assert.equal(problemIn(status, body).refusesUs, true)
})

test('what is no problem document says nothing', () => {
  const nothing = { code: undefined, said: undefined, detail: undefined, isWhole: false, refusesUs: false }

  for (const body of ['', '<html>', 'null', '[]', '7', '"x"', '{}', '{"code":1,"detail":{},"status":404}'])
    assert.deepEqual(problemIn(404, body), nothing, body)
  assert.equal(problemIn(200, said({ status: 200 })).isWhole, false)
})
