// What was found in one frame as a document: whole, rounded, made once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameResults, frameResults, frameResultsText } from '../../../machines/engine/frame-results.ts'
import { type OutputKind, RESULT_FIELDS } from '../../../machines/engine/result.ts'
import { roundResult } from '../../../machines/engine/round-result.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { type PackedOutput, packed } from '../../support/engine/packed.ts'

const header = { seq: 7, captured_us: 123_456_789, width_px: 640, height_px: 400, too_full: 1 }

/** A row of each kind whose numbers all have many digits. */
const longRow = (kind: OutputKind) =>
  Object.fromEntries(RESULT_FIELDS[kind].map((field, n) => [field, WHOLE[field] ?? 0.123456789 + n / 1000]))

/** Of fields that are no measurements. */
const WHOLE: Readonly<Record<string, number>> = {
  family: 1,
  id: 3,
  hamming: 0,
  no_pose: 0,
  tag_count: 2,
  has_pose: 1,
  has_heading: 1,
  label: 0,
  points: 12,
  text_at: 0,
  text_bytes: 2,
  symbology: 1,
}

const outputs = (Object.keys(RESULT_FIELDS) as OutputKind[]).map(
  (kind): PackedOutput => ({ port: kind, kind, rows: [longRow(kind)], text: '{}' }),
)

const numbersIn = (value: unknown, name = ''): readonly (readonly [name: string, value: number])[] => {
  if (typeof value === 'number') return [[name, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => numbersIn(each, Array.isArray(value) ? name : key))
}

test('outputs of every kind are in it, as the schema has them', () => {
  const document = frameResults(packed(header, outputs))

  assert.deepEqual(schemaErrors(FrameResults, document), [])
  assert.deepEqual(
    Object.entries(document.outputs).map(([port, { kind, rows }]) => [port, kind, rows.length]),
    outputs.map(({ port, kind }) => [port, kind, 1]),
  )
  const { outputs: _, ...frame } = document
  assert.deepEqual(frame, { ...header, too_full: true })
})

test('no number of its rows has more digits than mean something', () => {
  const perUnit = (name: string) => {
    if (name.endsWith('_px')) return 1e2
    if (name.endsWith('_deg')) return 1e3
    return /^(q[wxyz]|[xy])$/.test(name) ? 1e5 : /^(sharpness|best)$/.test(name) ? 1e6 : 1e4
  }
  const { outputs: found } = frameResults(packed(header, outputs))

  const numbers = numbersIn(found)
  assert.ok(numbers.length > 150)
  assert.deepEqual(
    numbers.filter(([name, value]) => value !== Math.round(value * perUnit(name)) / perUnit(name)),
    [],
  )
})

test('rounding leaves the result as it is, and texts as they are', () => {
  const result = packed(header, [{ port: 'codes', kind: 'barcodes', rows: [longRow('barcodes')], text: 'a text' }])
  const before = [...result.data]

  const rounded = roundResult(result)

  assert.deepEqual([...result.data], before)
  assert.deepEqual(new Uint8Array(rounded.data.slice(-1).buffer), new Uint8Array(result.data.slice(-1).buffer))
})

test('it is made once for everybody', () => {
  const result = packed(header, outputs)

  assert.equal(frameResults(result), frameResults(result))
})

test('some outputs of it are as in the whole, and nothing is made of the others', () => {
  const tags: PackedOutput = { port: 'tags', kind: 'detections', rows: [longRow('detections')] }
  const broken: PackedOutput = { port: 'aimed', kind: 'values', rows: [{ text_bytes: 1 }], text: '{' }

  const some = JSON.parse(frameResultsText(packed(header, [tags, broken]), ['tags']))

  assert.deepEqual(some, JSON.parse(frameResultsText(packed(header, [tags]))))
})
