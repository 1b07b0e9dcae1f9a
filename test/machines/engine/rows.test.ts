// The rows of a result as documents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OutputKind, RESULT_FIELDS } from '../../../machines/engine/result.ts'
import { rowDocuments } from '../../../machines/engine/row-documents.ts'
import { RowDocument } from '../../../machines/engine/rows.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { packed } from '../../support/engine/packed.ts'

const KINDS = Object.keys(RESULT_FIELDS) as OutputKind[]

/** Of fields that cannot have any number. */
const WITHIN_LIMITS: Readonly<Record<string, number>> = {
  family: 1,
  ambiguity: 0.25,
  visible_fraction: 0.5,
  area_share: 0.125,
  confidence: 0.375,
  has_pose: 1,
  has_board: 1,
  dark_share: 0.0625,
  bright_share: 0.03125,
  text_at: 0,
  text_bytes: 2,
  has_heading: 1,
  symbology: 3,
  no_pose: 0,
}

/** A text as long as their rows say, and what those read that expect JSON. */
const TEXT = '{}'

/** Fields that become words, or something to be there. */
const NO_NUMBERS = [
  'family',
  'label',
  'has_pose',
  'has_board',
  'has_heading',
  'text_at',
  'text_bytes',
  'symbology',
  'no_pose',
]

/** A row whose fields have values that tell them apart, as far as their limits allow. */
const counted = (kind: OutputKind) =>
  Object.fromEntries(RESULT_FIELDS[kind].map((field, n) => [field, WITHIN_LIMITS[field] ?? n + 1]))

const documents = <Kind extends OutputKind>(kind: Kind, ...rows: Readonly<Record<string, number>>[]) =>
  rowDocuments(packed({}, [{ port: 'out', kind, rows, text: TEXT }]), 'out', kind)

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(numbersIn)
      : []

for (const kind of KINDS) {
  test(`a row of kind ${kind} becomes a document that fits, and no number of it is lost`, () => {
    const flat = counted(kind)

    const [document] = documents(kind, flat) ?? []

    assert.deepEqual(schemaErrors(RowDocument[kind], document), [])
    const told = Object.entries(flat).flatMap(([field, value]) => (NO_NUMBERS.includes(field) ? [] : [value]))
    assert.deepEqual(numbersIn(document).sort(), told.sort())
  })
}

test('a family is told by its name, corners as places', () => {
  const corners = { x0_px: 1, y0_px: 2, x3_px: 7, y3_px: 8 }

  const [tag] = documents('detections', { family: 2, id: 9, cx_px: 4, cy_px: 5, ...corners }) ?? []

  assert.deepEqual([tag?.family, tag?.id, tag?.center], ['tag16h5', 9, { x_px: 4, y_px: 5 }])
  assert.deepEqual(
    [tag?.corners[0], tag?.corners[3]],
    [
      { x_px: 1, y_px: 2 },
      { x_px: 7, y_px: 8 },
    ],
  )
})

test('a label is told by its name, or by its number where it has none', () => {
  const rows = [{ label: 1 }, { label: 2 }]
  const { data } = packed({}, [{ port: 'out', kind: 'classes', rows }])
  const layout = { stages: ['tags'], outputs: [{ port: 'out', kind: 'classes', labels: ['cone', 'cube'] }] } as const

  const found = rowDocuments({ layout, data }, 'out', 'classes')

  assert.deepEqual(
    found?.map(({ label }) => label),
    ['cube', '2'],
  )
})

test('codes have their texts, and the output behind them is found', () => {
  const text = 'größe m\u2026 and more'
  const rows = [
    { text_at: 0, text_bytes: 7 },
    { text_at: 8, text_bytes: Buffer.byteLength(text) - 8, symbology: 3 },
  ]
  const result = packed({}, [
    { port: 'codes', kind: 'barcodes', rows, text },
    { port: 'after', kind: 'values', rows: [{ text_bytes: 14 }], text: '{"far_m":4.25}' },
  ])

  const codes = rowDocuments(result, 'codes', 'barcodes')

  assert.deepEqual(
    codes?.map((code) => [code.symbology, code.text]),
    [
      ['qr', 'größe'],
      ['code-128', 'm\u2026 and more'],
    ],
  )
  assert.deepEqual(rowDocuments(result, 'after', 'values'), [{ values: { far_m: 4.25 } }])
})

test('a second solution that is not there is left out', () => {
  const [oneTag, twoTag] =
    documents('tag_poses', { alt_camera_tag_qw: 1 }, { ambiguity: 0.2, alt_camera_tag_qw: 1 }) ?? []
  const [one, two] =
    documents('field_pose', { field_robot_qw: 1 }, { alt_field_robot_qz: 1, alt_field_robot_x_m: 3 }) ?? []

  assert.deepEqual([oneTag && 'alternative' in oneTag, twoTag?.alternative?.camera_tag.qw], [false, 1])
  assert.deepEqual([one && 'alternative' in one, two?.alternative?.field_robot.x_m], [false, 3])
})

test('a tag without a pose is told with its reason, and is no row of poses', () => {
  const tags = [{ id: 1 }, { id: 2 }, { id: 2 }, { id: 3 }, { id: 4 }]
  const poses = [{ id: 1 }, { id: 2, no_pose: 3 }, { id: 2 }, { id: 3, no_pose: 1 }]
  const outputs = [
    { port: 'tags', kind: 'detections', rows: tags },
    { port: 'poses', kind: 'tag_poses', rows: poses },
  ] as const
  const told = (outputs: Parameters<typeof packed>[1]) =>
    rowDocuments(packed({}, outputs), 'tags', 'detections')?.map(({ no_pose }) => no_pose)

  const result = packed({}, outputs)

  assert.deepEqual(told(outputs), [undefined, 'no_square', undefined, 'uncalibrated', 'unsolved'])
  assert.deepEqual(
    rowDocuments(result, 'poses', 'tag_poses')?.map(({ id }) => id),
    [1, 2],
  )
  assert.deepEqual(new Set(told(outputs.slice(0, 1))), new Set([undefined]))
})

test('a place that only the heading tells is no pose', () => {
  const heading = { has_heading: 1, heading_field_robot_x_m: 3, heading_field_robot_qw: 1, heading_std_x_m: 0.1 }

  const poses = documents('field_pose', heading, { ...heading, field_robot_qw: 1 }, { field_robot_qw: 1 }) ?? []

  assert.deepEqual(
    poses.map((pose) => pose.by_heading?.field_robot.x_m),
    [3, undefined],
  )
  assert.deepEqual(Object.keys(poses[0]?.by_heading?.deviations ?? {}), ['x_m', 'y_m', 'z_m'])
})

test('an output of another kind, or of another name, has no rows of this kind', () => {
  const result = packed({}, [{ port: 'out', kind: 'detections', rows: [{ id: 3 }] }])

  assert.equal(rowDocuments(result, 'out', 'points'), undefined)
  assert.equal(rowDocuments(result, 'other', 'detections'), undefined)
})
