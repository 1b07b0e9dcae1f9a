// Where messages begin and end on a WebSocket, however what comes is cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageCounter } from '../../../native/tunnels/message-counter.ts'
import { frame } from '../../support/nt4/ws-frames.ts'

const CONTENTS = [0, 1, 125, 126, 300, 65_535, 65_536].map((bytes) => Buffer.alloc(bytes, 0xff))

/** After how many bytes nothing was begun any more. */
const endsIn = (bytes: Buffer, cuts: number): readonly number[] => {
  const ends: number[] = []
  let taken = 0
  const counter = new MessageCounter(() => ends.push(taken))
  for (let at = 0; at < bytes.length; at += cuts) {
    taken = Math.min(at + cuts, bytes.length)
    counter.take(bytes.subarray(at, taken))
    if (ends.at(-1) !== taken) assert.equal(counter.isWithin, true)
  }
  assert.equal(counter.isWithin, false)
  return ends
}

test('a message ends where its length says, byte by byte', () => {
  for (const content of CONTENTS) {
    const bytes = frame(content)

    assert.deepEqual(endsIn(bytes, 1), [bytes.length])
  }
})

test('messages are told apart however they are cut', () => {
  const frames = CONTENTS.map((content) => frame(content))
  const all = Buffer.concat(frames)

  for (const cuts of [1, 2, 3, 7, 1_000, 65_537, all.length])
    assert.equal(endsIn(all, cuts).length, frames.length, `${cuts}`)
})

test('a message in pieces is one, and a ping within it ends nothing', () => {
  const content = Buffer.from('abc')
  const pieces = [
    frame(content, { isLast: false }),
    frame(content, { opcode: 9 }),
    frame(content, { opcode: 0, isLast: false }),
    frame(Buffer.alloc(0), { opcode: 0, isLast: false }),
    frame(content, { opcode: 0 }),
  ]

  assert.deepEqual(endsIn(Buffer.concat(pieces), 1), [Buffer.concat(pieces).length])
})

test('a ping between messages ends with itself', () => {
  const [message, ping] = [frame(Buffer.from('abc')), frame(Buffer.from('?'), { opcode: 9 })]

  assert.deepEqual(endsIn(Buffer.concat([message, ping, message]), 1), [
    message.length,
    message.length + ping.length,
    2 * message.length + ping.length,
  ])
})
