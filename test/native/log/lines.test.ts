// The log as it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineLog } from '../../../native/log/lines.ts'

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

const sink = () => {
  const lines: string[] = []
  return { lines, writableLength: 0, write: (text: string) => lines.push(text) }
}

test('for machines a line is one JSON document, whatever is in the message', () => {
  const out = sink()
  const log = lineLog(out, 'json', () => AT_MS)

  log('warn', 'two\nlines "quoted"', { code: 'camera.lost', resource: 'streams/front', nothing: undefined })

  assert.equal(out.lines.length, 1)
  assert.match(out.lines[0] ?? '', /^[^\n]+\n$/)
  assert.deepEqual(JSON.parse(out.lines[0] ?? ''), {
    time: '2026-01-02T03:04:05.678Z',
    level: 'warn',
    message: 'two\nlines "quoted"',
    code: 'camera.lost',
    resource: 'streams/front',
  })
})

test('for people a line has the time of day, a mark and the facts behind the sentence', () => {
  const out = sink()
  const log = lineLog(out, 'pretty', () => AT_MS)

  log('error', 'the camera is gone', { code: 'camera.lost', count: 3 })

  assert.match(out.lines[0] ?? '', /^\d\d:04:05 ✗ the camera is gone code=camera\.lost count=3\n$/)
})

test('when nobody reads, lines are dropped instead of kept', () => {
  const out = sink()
  const log = lineLog(out, 'json', () => AT_MS)

  out.writableLength = 1_000_001
  log('error', 'lost')
  out.writableLength = 0
  log('error', 'kept')

  assert.deepEqual(
    out.lines.map((line) => JSON.parse(line).message),
    ['kept'],
  )
})
