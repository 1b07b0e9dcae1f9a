// The newest output of a terminal: never more than its size, byte for byte, and beginning with a whole line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScrollBack } from '../../../machines/console/scroll-back.ts'

const NEW_LINE = 0x0a

/** What is to be kept of all that came. */
const newest = (all: readonly number[], size: number): readonly number[] => {
  if (all.length < size) return all
  const kept = all.slice(-size)
  return all.length === size || kept.includes(NEW_LINE) ? kept.slice(kept.indexOf(NEW_LINE) + 1) : kept
}

test('whatever comes in whatever pieces, the newest of it is kept', () => {
  const byte = fc.oneof(fc.constant(NEW_LINE), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.array(byte, { maxLength: 60 })), (size, chunks) => {
      const kept = new ScrollBack(size)
      for (const chunk of chunks) kept.push(Uint8Array.from(chunk))

      assert.deepEqual([...kept.content()], newest(chunks.flat(), size))
    }),
  )
})

test('what is handed out does not change with what comes later', () => {
  const kept = new ScrollBack(8)
  kept.push(Uint8Array.of(1, 2, 3))

  const before = kept.content()
  kept.push(Uint8Array.of(4, 5, 6, 7, 8, 9))

  assert.deepEqual([...before], [1, 2, 3])
})
