// Counting frames: wherever the bytes are cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameHeads } from '../../../machines/websocket/frame-heads.ts'

const MAX_LENGTH = 70_000

interface Sent {
  readonly opcode: number
  readonly isMasked: boolean
  readonly length: number
}

const frame = ({ opcode, isMasked, length }: Sent): Buffer => {
  const mark = isMasked ? 0x80 : 0
  const head =
    length < 126 ? [mark | length] : length < 0x1_0000 ? [mark | 126, length >> 8, length & 0xff] : long(length, mark)
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head]), Buffer.alloc((isMasked ? 4 : 0) + length, 0x89)])
}

const long = (length: number, mark: number): readonly number[] => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return [mark | 127, ...bytes]
}

const someFrame = fc.record({
  opcode: fc.constantFrom(0, 1, 2, 8, 9, 10),
  isMasked: fc.boolean(),
  length: fc.oneof(fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536), fc.nat(MAX_LENGTH)),
})

test('frames are counted wherever the bytes are cut, and no more are passed than are asked for', () => {
  fc.assert(
    fc.property(
      fc.array(someFrame, { maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9_000 })),
      fc.integer({ min: 1, max: 3 }),
      (sent, sizes, most) => {
        const heads = new FrameHeads()
        const bytes = Buffer.concat(sent.map(frame))
        const ends = sent.map((_, n) => Buffer.concat(sent.slice(0, n + 1).map(frame)).length)
        let [at, frames, controls] = [0, 0, 0]

        while (at < bytes.length) {
          const piece = bytes.subarray(at, at + sizes.next().value)
          const passed = heads.pass(piece, most)
          assert.ok(passed === piece.length || ends.includes(at + passed), 'it stops where a frame begins')
          assert.ok(heads.frames <= most)
          at += passed
          frames += heads.frames
          controls += heads.controls
        }

        assert.deepEqual([frames, controls], [sent.length, sent.filter(({ opcode }) => opcode >= 8).length])
      },
    ),
  )
})

test('a frame that is longer than any memory does not come to an end', () => {
  const heads = new FrameHeads()

  heads.pass(Buffer.from([0x82, 127, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 1)

  assert.equal(heads.pass(Buffer.alloc(100_000, 0x89), 1), 100_000)
  assert.equal(heads.frames, 0)
})
