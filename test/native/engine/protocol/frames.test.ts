import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Picture } from '../../../../machines/stream/picture.ts'
import { encodeFrame, FrameReader, MAX_FRAME_BYTES } from '../../../../native/engine/protocol/frames.ts'
import type { Report } from '../../../../native/engine/protocol/reports.ts'

const join = (chunks: readonly Uint8Array[]): Buffer => Buffer.concat(chunks)

const photo: Omit<Picture, 'jpeg'> = {
  key: '640/75/plain',
  seq: 7,
  captured_us: 5_123_456_789_012,
  width_px: 640,
  height_px: 400,
  passthrough: false,
}

const noise = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, at) => (at * 31 + (at >> 8)) % 256)

/** Reads a byte stream in pieces of the given length. */
const readIn = (stream: Buffer, pieceBytes: number): { message: Report; bytes: number[] | undefined }[] => {
  const heard: { message: Report; bytes: number[] | undefined }[] = []
  const reader = new FrameReader<Report>((message, bytes) => heard.push({ message, bytes: bytes && [...bytes] }))
  for (let at = 0; at < stream.length; at += pieceBytes) reader.push(stream.subarray(at, at + pieceBytes))
  return heard
}

test('messages come out as they went in, however the stream is cut into pieces', () => {
  const long = noise(40_000)
  const short = noise(104)
  const stream = join([
    ...encodeFrame({ type: 'ready' }),
    ...encodeFrame({ type: 'result' }, short),
    ...encodeFrame({ type: 'picture', picture: photo }, long),
    ...encodeFrame({ type: 'answer', ask: 3, fault: { code: 'camera.missing', detail: 'There is none.' } }),
  ])

  for (const pieceBytes of [1, 2, 3, 5, 64, 1000, 39_999, stream.length]) {
    const heard = readIn(stream, pieceBytes)

    assert.deepEqual(
      heard.map(({ message }) => message),
      [
        { type: 'ready' },
        { type: 'result' },
        { type: 'picture', picture: photo },
        { type: 'answer', ask: 3, fault: { code: 'camera.missing', detail: 'There is none.' } },
      ],
    )
    assert.deepEqual(
      heard.map(({ bytes }) => bytes),
      [undefined, [...short], [...long], undefined],
    )
  }
})

test('long bytes are handed through without a copy', () => {
  const jpeg = noise(100_000)

  const chunks = encodeFrame({ type: 'picture', picture: photo }, jpeg)

  assert.equal(chunks.at(-1), jpeg)
})

test('bytes that lie in the pushed chunk are said to be borrowed', () => {
  const borrowed: boolean[] = []
  const reader = new FrameReader<Report>((_message, _bytes, isBorrowed) => borrowed.push(isBorrowed))
  const frame = join(encodeFrame({ type: 'result' }, noise(800)))

  reader.push(frame)
  reader.push(frame.subarray(0, 100))
  reader.push(frame.subarray(100))

  assert.deepEqual(borrowed, [true, false])
})

test('a frame longer than allowed is refused before memory is taken for it', () => {
  const reader = new FrameReader<Report>(() => assert.fail('nothing can be read here'))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(MAX_FRAME_BYTES + 1)

  assert.throws(() => reader.push(head), /at most 33554432 are allowed/)
})

test('what looks like a result that comes alone is none within another frame, nor within one that is refused', () => {
  const alike = join(encodeFrame({ type: 'result' }, noise(800)))
  const within = join(encodeFrame({ type: 'picture', picture: photo }, join([noise(100), alike, noise(100)])))
  const start = within.indexOf(alike)
  const pieces = [within.subarray(0, start), alike, within.subarray(start + alike.length)]
  const readUpTo = (maxBytes: number) => {
    const heard: string[] = []
    const refused = () => heard.push('refused')
    const reader = new FrameReader<Report>(({ type }) => heard.push(type), refused, maxBytes)
    for (const piece of pieces) reader.push(piece)
    reader.push(join(encodeFrame({ type: 'ready' })))
    return heard
  }

  assert.deepEqual(readUpTo(MAX_FRAME_BYTES), ['picture', 'ready'])
  assert.deepEqual(readUpTo(900), ['refused', 'ready'])
})

test('a result that is longer than allowed is refused, and what follows is read', () => {
  const heard: string[] = []
  const reader = new FrameReader<Report>(
    ({ type }) => heard.push(type),
    () => heard.push('refused'),
    100,
  )

  reader.push(join(encodeFrame({ type: 'result' }, noise(800))))
  reader.push(join(encodeFrame({ type: 'result' }, noise(80))))

  assert.deepEqual(heard, ['refused', 'result'])
})
