import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Packr } from 'msgpackr/pack'
import { encodeFrame, FrameReader } from '../../../../native/engine/protocol/frames.ts'
import { whyNotWhole } from '../../../../native/engine/protocol/packed.ts'
import type { Report } from '../../../../native/engine/protocol/reports.ts'

const SEED = 5_011
const packr = new Packr({ useRecords: false })
const anything = fc.anything({ withTypedArray: false, withDate: false, maxDepth: 4, maxKeys: 40 })

test('whatever is packed is whole, and not without its last byte, nor with one more', () => {
  const property = fc.property(anything, (value) => {
    const packed = Buffer.from(packr.pack(value))

    assert.equal(whyNotWhole(packed), undefined)
    assert.notEqual(whyNotWhole(packed.subarray(0, -1)), undefined)
    assert.notEqual(whyNotWhole(Buffer.concat([packed, Buffer.of(0)])), undefined)
  })

  fc.assert(property, { seed: SEED, numRuns: 500 })
})

test('texts, bytes and lists of every size are whole', () => {
  for (const size of [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
    for (const value of ['x'.repeat(size), new Uint8Array(size), Array.from({ length: size }, () => 7)])
      assert.equal(whyNotWhole(Buffer.from(packr.pack(value))), undefined)
  }
})

test('counts that the bytes cannot hold are seen before anything is made of them', () => {
  for (const bytes of [
    [],
    [0xc1],
    [0x91],
    [0x81, 0xa1, 0x61],
    [0xdc, 0xff],
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    [0xdf, 0xff, 0xff, 0xff, 0xff],
    [0xdb, 0xff, 0xff, 0xff, 0xff],
    [0xc6, 0x7f, 0xff, 0xff, 0xff, 0],
    [0xd4, 0x78, 0],
  ])
    assert.notEqual(whyNotWhole(Buffer.from(bytes)), undefined, bytes.join())
})

/** What a reader that goes on has heard and refused of a stream, cut into pieces. */
const readOn = (stream: Buffer, pieceBytes: number, maxBytes: number) => {
  const heard: string[] = []
  const reader = new FrameReader<Report>(
    ({ type }) => heard.push(type),
    () => heard.push('refused'),
    maxBytes,
  )
  for (let at = 0; at < stream.length; at += pieceBytes) reader.push(stream.subarray(at, at + pieceBytes))
  return heard
}

test('a reader that goes on finds the frame behind one that it refused, however the stream is cut', () => {
  const ready = Buffer.concat(encodeFrame({ type: 'ready' }))
  const tooLong = Buffer.concat(encodeFrame({ type: 'result' }, new Uint8Array(3000)))
  const empty = Buffer.alloc(4)
  const rubbish = Buffer.of(2, 0, 0, 0, 0xc1, 0xc1)
  const noMessage = Buffer.of(2, 0, 0, 0, 0x91, 0x07)
  const stream = Buffer.concat([ready, tooLong, ready, empty, ready, rubbish, ready, noMessage, ready])

  for (const pieceBytes of [1, 3, 7, 100, 3000, stream.length])
    assert.deepEqual(readOn(stream, pieceBytes, 1000), [
      ...['ready', 'refused', 'ready', 'refused', 'ready', 'refused', 'ready', 'refused', 'ready'],
    ])
})
