import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeholderOf, wordsFor, wordsForOutput } from '../../../machines/viewers/placeholder.ts'

/** As the header of its frame says. */
const sizeOf = (jpeg: Uint8Array): readonly [number, number] => {
  const bytes = Buffer.from(jpeg)
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
}

test('there are words for every state but live, and the fault is among them', () => {
  const fault = { code: 'camera.lost', detail: 'The camera was unplugged.' } as const

  assert.equal(wordsFor('front', { state: 'live', fault: null }), null)
  for (const state of [
    'disabled',
    'starting',
    'opening',
    'stalled',
    'backing-off',
    'ended',
    'restarting',
    'failed',
  ] as const) {
    const words = wordsFor('front', { state, fault })
    assert.equal(words?.[0], 'front: no picture')
    assert.match(words?.[2] ?? '', /^[A-Z].*\.$/)
    assert.equal(words?.at(-1), fault.detail)
  }
})

test('there are words for an output that a pipeline does not give any more', () => {
  const words = wordsForOutput('front', 'overlay')

  assert.equal(words[0], 'front: no picture')
  assert.match(words[2] ?? '', /^[A-Z].*overlay.*\.$/)
})

test('a placeholder has the shape of the pictures and a size in which sentences have room', () => {
  const size = (width_px: number, height_px: number) => sizeOf(placeholderOf(['no picture'], { width_px, height_px }))

  assert.deepEqual(size(1280, 800), [1280, 800])
  assert.deepEqual(size(320, 240), [640, 480])
  assert.deepEqual(size(3840, 2160), [1280, 720])
  assert.deepEqual(size(641, 99), [641, 99])
  assert.deepEqual(sizeOf(placeholderOf(['no picture'])), [1280, 720])
})

test('other words are another picture, and more of them than have room are no harm', () => {
  const words = ['a word', 'ä sentence (with signs): 100 %!', 'x'.repeat(5000), 'word '.repeat(5000)]

  const pictures = words.map((each) =>
    Buffer.from(placeholderOf([each], { width_px: 640, height_px: 16 })).toString('base64'),
  )
  assert.equal(new Set(words.map((each) => Buffer.from(placeholderOf([each])).toString('base64'))).size, words.length)
  assert.ok(pictures.every((each) => each.length > 100))
})
