import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { ClientName, Name } from '../../../machines/schema/name.ts'

const errorsInName = validatorOf(Name(60, 'A name.'))
const errorsInClientName = validatorOf(ClientName)

test('a name is what can be read, in any language', () => {
  const names = [
    ...['Front', 'Front left', 'é', '7', '前方', 'دوربین\u200cجلو', '👩\u200d🚀', '❤️', 'a\u00a0b'],
    ...['z'.repeat(60), '👩'.repeat(60)],
  ]

  for (const name of names) assert.deepEqual(errorsInName(name), [], JSON.stringify(name))
})

test('a name has no control characters, marks of direction or line ends', () => {
  const marks = [
    ...['\0', '\t', '\n', '\r', '\x1b', '\x7f', '\x85', '\xad', '\u061c', '\u200b', '\u200e', '\u200f', '\u2028'],
    ...['\u2029', '\u202a', '\u202e', '\u2066', '\u2069', '\ufeff', '\u{e0041}', '\ud800'],
  ]

  for (const mark of marks)
    for (const name of [mark, `${mark}a`, `a${mark}`, `a${mark}b`])
      assert.equal(errorsInName(name).length, 1, JSON.stringify(name))
})

test('a name neither is nor begins nor ends with what cannot be seen', () => {
  for (const blank of ['', ' ', '   ', '\u00a0', '\u3000', '\u3164', '\u2800', '\u115f', '\u200d'])
    assert.equal(errorsInName(blank).length, 1, JSON.stringify(blank))
  for (const name of [' a', 'a ', '\u00a0a', 'a\u3000', '\u3164a']) assert.equal(errorsInName(name).length, 1, name)
})

test('a name has a length that is counted in characters, whatever they are made of', () => {
  assert.equal(errorsInName('z'.repeat(61)).length, 1)
  assert.equal(errorsInName('👩'.repeat(61)).length, 1)
  assert.equal(errorsInName(`x${'\u0301'.repeat(60)}`).length, 1)
})

test('the name at the robot has no blanks and nothing that means something in an address', () => {
  for (const name of ['vedette', 'cam-2', 'Kamera_vorn', 'é', 'z'.repeat(60)])
    assert.deepEqual(errorsInClientName(name), [])
  for (const name of ['', ' ', 'a b', 'a/b', 'a@b', 'a\n', 'a\u202e', '\u3164', '\u200d', 'z'.repeat(61)])
    assert.equal(errorsInClientName(name).length, 1, JSON.stringify(name))
})
