// What is believed of what another device tells of its frames.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heardResults } from '../../../machines/interdevice/heard-results.ts'

const ASKED = new Set(['front'])
const told = (message: unknown) => heardResults(JSON.stringify(message), ASKED)

test('a message is told on as it came, with the stream as it is listed here', () => {
  const message = { stream_id: 'front', seq: 4, outputs: { tags: { kind: 'of-a-newer-version', rows: [] } }, more: 1 }

  const heard = told(message)

  assert.deepEqual(JSON.parse(heard?.textFor('back:front') ?? ''), { ...message, stream_id: 'back:front' })
  assert.equal(heard?.hasEnded, false)
})

test('the end of a stream is told on as that, whatever else the message says', () => {
  const heard = told({ stream_id: 'front', ended: true, outputs: {} })

  assert.equal(heard?.textFor('back:front'), '{"stream_id":"back:front","ended":true}')
  assert.equal(heard?.hasEnded, true)
})

test('what makes no sense is not told on, nor what nobody has asked for', () => {
  assert.equal(heardResults('{"stream_id":"front"', ASKED), undefined)
  const senseless = [null, 7, [], { outputs: {} }, { stream_id: 'front' }, { stream_id: 'front', outputs: 7 }]
  for (const message of [...senseless, { stream_id: 'side', outputs: {} }, { stream_id: 'side', ended: true }])
    assert.equal(told(message), undefined, JSON.stringify(message))
})
