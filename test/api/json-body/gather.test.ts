// A body that comes in pieces of one byte is put together as it comes, not at its end, which would hold up others.
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { gatherBody } from '../../../api/json-body/gather.ts'

const chunked = { 'transfer-encoding': 'chunked' }

const piecesOf = async (payload: Readable): Promise<readonly Buffer[]> => {
  const pieces: Buffer[] = []
  for await (const piece of payload) pieces.push(piece)
  return pieces
}

test('bytes that come one by one are passed on in few pieces, in their order', async () => {
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
  const single = Readable.from(Array.from(body, (_, n) => body.subarray(n, n + 1)))

  const pieces = await piecesOf(gatherBody(chunked, single))

  assert.ok(pieces.length <= 7, `${pieces.length} pieces`)
  assert.deepEqual(Buffer.concat(pieces), body)
})

test('large pieces among small ones keep their place', async () => {
  const parts = [1, 40_000, 3, 16_384, 16_383, 2].map((length, n) => Buffer.alloc(length, n))

  const pieces = await piecesOf(gatherBody(chunked, Readable.from(parts)))

  assert.deepEqual(Buffer.concat(pieces), Buffer.concat(parts))
})

test('whoever reads it is told that it breaks off', async () => {
  const payload = new PassThrough()
  const pieces = piecesOf(gatherBody(chunked, payload))

  payload.write('a')
  payload.destroy(new Error('gone'))

  await assert.rejects(pieces, /gone/)
})

test('a body whose length is known is passed on as it is', () => {
  const payload = new PassThrough()

  assert.equal(gatherBody({ 'content-length': '4' }, payload), payload)
})
