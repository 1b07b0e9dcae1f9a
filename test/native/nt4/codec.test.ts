// Value messages: written by hand, read back, and read when they are broken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame, WIRE, wireTypeOf } from '../../../native/nt4/codec.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import type { Nt4Value } from '../../../native/nt4/port.ts'
import { message } from '../../support/nt4/nt4.ts'

const STAMP_US = 1_795_226_049_529_698

const samples: readonly (readonly [type: string, values: readonly Nt4Value[]])[] = [
  ['boolean', [true, false]],
  ['double', [0, 3, -0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY]],
  ['int', [0, 127, 128, -1, -32, -33, 255, 256, 65_536, 2 ** 32 - 1, 2 ** 32, -(2 ** 31), -(2 ** 31) - 1]],
  ['int', [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]],
  ['float', [0, 0.25, -7]],
  ['string', ['', 'a', 'grüße 🤖', 'x'.repeat(31), 'x'.repeat(32), 'x'.repeat(300), 'x'.repeat(70_000)]],
  ['json', ['{"a":1}']],
  ['raw', [new Uint8Array(), new Uint8Array([1, 2, 255]), new Uint8Array(300), new Uint8Array(70_000)]],
  ['struct:Pose2d', [new Uint8Array([9])]],
  ['boolean[]', [[], [true, false]]],
  [
    'double[]',
    [[], [1, 2.5, Number.NaN], Array.from({ length: 20 }, (_, n) => n), Array.from({ length: 70_000 }, (_, n) => n)],
  ],
  [
    'int[]',
    [
      [1, -7, 300, 2 ** 40],
      [2n ** 60n, -(2n ** 60n)],
    ],
  ],
  ['float[]', [[0.5, 3]]],
  ['string[]', [[], ['', 'b'], Array.from({ length: 40 }, (_, n) => `${n}`)]],
]

test('a value of every type comes back as it was written', () => {
  for (const [type, values] of samples)
    for (const value of values) {
      const wireType = wireTypeOf(type)

      const { messages, bad } = decodeFrame(message(7, STAMP_US, wireType, value))

      assert.equal(bad, 0, `${type} ${String(value).slice(0, 40)}`)
      const back = messages[0]?.value
      assert.deepEqual(messages, [{ id: 7, timestampUs: STAMP_US, wireType, value: back }])
      assert.deepEqual(back instanceof Uint8Array ? new Uint8Array(back) : back, value)
    }
})

test('a Float64Array is written as an array of doubles', () => {
  const { messages } = decodeFrame(message(1, 1, WIRE.doubles, new Float64Array([1, 2.5])))

  assert.deepEqual(messages[0]?.value, [1, 2.5])
})

test('whole doubles stay float 64, and time stamps stay integers', () => {
  const bytes = message(1, STAMP_US, WIRE.double, 3)

  assert.deepEqual([...bytes.subarray(0, 3)], [0x94, 0x01, 0xcf], 'array of four, pubuid, uint 64')
  assert.equal(bytes.readBigUInt64BE(3), BigInt(STAMP_US))
  assert.deepEqual([...bytes.subarray(11, 14)], [0x01, 0xcb, 0x40], 'type double, float 64')
})

test('a value that does not fit its type is left out and leaves the frame whole', () => {
  const encoder = new MessageEncoder()
  const misfits: readonly (readonly [keyof typeof WIRE, unknown])[] = [
    ['double', 'text'],
    ['double', 3n],
    ['int', 1.5],
    ['int', 2n ** 63n],
    ['int', Number.NaN],
    ['boolean', 1],
    ['string', 7],
    ['bytes', 'text'],
    ['doubles', [1, 'two']],
    ['doubles', 1],
    ['strings', [1]],
    ['ints', [0.5]],
  ]

  encoder.begin(true)
  encoder.put(1, 5, WIRE.double, 1)
  for (const [wireType, value] of misfits)
    assert.equal(encoder.put(2, 5, WIRE[wireType], value as Nt4Value), false, `${wireType} ${value}`)
  encoder.put(3, 5, WIRE.double, 3)

  const { messages, bad } = decodeFrame(encoder.take())
  assert.equal(bad, 0)
  assert.deepEqual(
    messages.map(({ id }) => id),
    [1, 3],
  )
})

test('a frame that somebody still holds is not overwritten by later ones, however large', () => {
  const encoder = new MessageEncoder()
  encoder.begin(true)
  encoder.put(1, 5, WIRE.string, 'kept')
  const held = encoder.take()

  for (let n = 0; n < 20; n++) {
    encoder.begin(false)
    encoder.put(2, 5, WIRE.string, 'x'.repeat(10_000))
    assert.equal(decodeFrame(encoder.take()).messages.length, 1)
  }

  assert.equal(decodeFrame(held).messages[0]?.value, 'kept')
})

test('the good messages before a cut are delivered, the cut one is counted', () => {
  const frame = Buffer.concat([message(1, 5, WIRE.double, 1), message(2, 5, WIRE.string, 'hello')])

  const { messages, bad } = decodeFrame(frame.subarray(0, frame.length - 2))

  assert.deepEqual(
    messages.map(({ id }) => id),
    [1],
  )
  assert.equal(bad, 1)
})

test('a misshapen message is skipped and the ones behind it are read', () => {
  const misshapen = [
    Buffer.from([0x93, 1, 5, 0]), // three elements
    Buffer.from([0x95, 1, 5, 0, 0xc3, 0xc3]), // five
    Buffer.from([0x07]), // no array
    Buffer.from([0x80]), // a map
    Buffer.from([0x94, 0xa1, 0x61, 5, 0, 0xc3]), // the id is text
    Buffer.from([0x94, 1, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0xc3]), // the stamp is 0.5
    Buffer.from([0x94, 1, 5, 99, 0xc3]), // no such type
    Buffer.from([0x94, 1, 5, 0, 0x01]), // an integer as a boolean
    Buffer.from([0x94, 1, 5, 2, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0]), // 0.5 as an int
    Buffer.from([0x94, 1, 5, 5, 0xa1, 0x61]), // text as bytes
    Buffer.from([0x94, 1, 5, 17, 0x91, 0xa1, 0x61]), // text in an array of doubles
    Buffer.from([0x94, 1, 5, 2, 0xcf, 255, 255, 255, 255, 255, 255, 255, 255]), // beyond a signed 64 bit int
  ]
  for (const bytes of misshapen) {
    const { messages, bad } = decodeFrame(Buffer.concat([bytes, message(2, 5, WIRE.boolean, true)]))

    assert.deepEqual([messages.length, bad], [1, 1], bytes.toString('hex'))
  }
})

test('integers are taken where doubles are expected', () => {
  const { messages } = decodeFrame(Buffer.from([0x94, 1, 5, 1, 3, 0x94, 1, 5, 17, 0x92, 3, 0xce, 0, 0, 0, 9]))

  assert.deepEqual(
    messages.map(({ value }) => value),
    [3, [3, 9]],
  )
})

test('no bytes at all make the decoder throw', () => {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  const good = message(1, STAMP_US, WIRE.strings, ['a', 'b'])
  for (let n = 0; n < 20_000; n++) {
    const frame = n % 2 ? Buffer.from(good) : Buffer.from(Array.from({ length: random() % 40 }, random))
    if (n % 2) frame[random() % frame.length] = random()

    decodeFrame(frame)
  }
  assert.deepEqual(decodeFrame(good).messages[0]?.value, ['a', 'b'])
})

test('a decoded frame does not hold on to the bytes it came from', () => {
  const frame = message(1, 5, WIRE.bytes, new Uint8Array([1, 2]))
  const value = decodeFrame(frame).messages[0]?.value

  frame.fill(0)

  assert.deepEqual(value, Buffer.from([1, 2]))
})
