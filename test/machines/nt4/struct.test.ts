// WPILib structs: layouts as they are published, values as they are sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonValue } from '../../../machines/nt4/json-value.ts'
import { missingStructs, readStruct, structIn } from '../../../machines/nt4/struct.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'

const GEOMETRY = new Map([
  ['Pose3d', 'Translation3d translation;Rotation3d rotation'],
  ['Translation3d', 'double x;double y;double z'],
  ['Rotation3d', 'Quaternion q'],
  ['Quaternion', 'double w;double x;double y;double z'],
])

const doubles = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer)

const read = (layout: string, bytes: Uint8Array, type = 'struct:T') => readStruct(type, bytes, new Map([['T', layout]]))
const readAs = (layout: string, bytes: Uint8Array, type?: string) => {
  const found = read(layout, bytes, type)
  assert.ok(found.ok, found.ok ? '' : found.reason)
  return jsonValue(found.value)
}
const reasonOf = (layout: string, bytes = new Uint8Array(8), type?: string) => {
  const found = read(layout, bytes, type)
  assert.ok(!found.ok, 'it was read')
  return found.reason
}

test('a pose is read through the layouts of what it is made of', () => {
  const found = readStruct('struct:Pose3d', doubles(1, 2, 3, 0.5, 0.5, 0.5, 0.5), GEOMETRY)

  assert.deepEqual(found, {
    ok: true,
    value: { translation: { x: 1, y: 2, z: 3 }, rotation: { q: { w: 0.5, x: 0.5, y: 0.5, z: 0.5 } } },
  })
})

test('an array of structs has as many as its bytes give, also none', () => {
  const type = 'struct:Translation3d[]'

  assert.deepEqual(readStruct(type, doubles(1, 2, 3, 4, 5, 6), GEOMETRY), {
    ok: true,
    value: [
      { x: 1, y: 2, z: 3 },
      { x: 4, y: 5, z: 6 },
    ],
  })
  assert.deepEqual(readStruct(type, new Uint8Array(0), GEOMETRY), { ok: true, value: [] })
})

test('every type of number is read, little endian and without gaps', () => {
  const layout = oneLine`
    bool a;char b;int8 c;uint8 d;int16 e;uint16 f;int32 g;uint32 h;int64 i;uint64 j;float k;float32 l;double m;float64
    n
  `
  // not at a round place
  const view = new DataView(new ArrayBuffer(1 + 1 + 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 4 + 8 + 8 + 1), 1)
  view.setUint8(0, 1)
  view.setUint8(1, 0x41)
  view.setInt8(2, -3)
  view.setUint8(3, 200)
  view.setInt16(4, -300, true)
  view.setUint16(6, 60_000, true)
  view.setInt32(8, -70_000, true)
  view.setUint32(12, 4_000_000_000, true)
  view.setBigInt64(16, -(2n ** 62n), true)
  view.setBigUint64(24, 2n ** 64n - 1n, true)
  view.setFloat32(32, 0.5, true)
  view.setFloat32(36, Number.NaN, true)
  view.setFloat64(40, 1e300, true)
  view.setFloat64(48, Number.NEGATIVE_INFINITY, true)

  assert.deepEqual(readAs(layout, new Uint8Array(view.buffer, 1)), {
    a: true,
    b: 'A',
    c: -3,
    d: 200,
    e: -300,
    f: 60_000,
    g: -70_000,
    h: 4_000_000_000,
    i: '-4611686018427387904',
    j: '18446744073709551615',
    k: 0.5,
    l: 'NaN',
    m: 1e300,
    n: '-Infinity',
  })
})

test('fields may be arrays, texts and enumerations', () => {
  const layout = ' uint8 pair[2] ; char name[6];enum {off=0, on = 1} int8 mode;{a=1}uint8 other;;'
  const bytes = Uint8Array.from([1, 2, ...new TextEncoder().encode('né'), 0, 0, 0, 1, 9])

  assert.deepEqual(readAs(layout, bytes), { pair: [1, 2], name: 'né', mode: 1, other: 9 })
})

test('a field that is called like a part of every object is a field like any other', () => {
  const value = readAs('uint8 __proto__;uint8 constructor', Uint8Array.from([1, 2]))

  assert.equal(JSON.stringify(value), '{"__proto__":1,"constructor":2}')
})

test('what cannot be read is said so in words, and nothing grows over it', () => {
  const endless = new Map([
    ['A', 'B b;uint8 n'],
    ['B', 'A a'],
  ])
  const deep = new Map(Array.from({ length: 100 }, (_, n) => [`S${n}`, `S${n + 1} a;S${n + 1} b`]))

  assert.match(reasonOf('int8 a : 4'), /some bits/)
  assert.match(reasonOf('double'), /cannot be read/)
  assert.match(reasonOf('double x;double x', new Uint8Array(16)), /two fields x/)
  assert.match(reasonOf('double x', new Uint8Array(9)), /9 bytes/)
  assert.match(reasonOf('double x', new Uint8Array(12), 'struct:T[]'), /12 bytes/)
  assert.match(reasonOf('Other x'), /nobody publishes its layout, \/\.schema\/struct:Other/)
  assert.match(reasonOf(''), /holds nothing/)
  assert.match(reasonOf('uint8 a;uint8 b[0]', new Uint8Array(15_000), 'struct:T[]'), /more than 20000/)
  assert.match(reasonOf(`uint8 ${'x'.repeat(5_000)}`), /too long/)
  for (const [name, layouts] of [
    ['A', endless],
    ['S0', deep],
  ] as const) {
    const found = readStruct(`struct:${name}`, new Uint8Array(8), layouts)
    assert.equal(found.ok, false)
  }
})

test('which layouts are to be asked for follows from those that are known', () => {
  const known = new Map([['Pose3d', 'Translation3d translation;Rotation3d rotation']])
  const endless = new Map([['A', 'B b']]).set('B', 'A a;C c')

  assert.deepEqual(missingStructs('Pose3d', new Map()), ['Pose3d'])
  assert.deepEqual(missingStructs('Pose3d', known), ['Translation3d', 'Rotation3d'])
  assert.deepEqual(missingStructs('Pose3d', GEOMETRY), [])
  assert.deepEqual(missingStructs('A', endless), ['C'])
  const wide = new Map([['A', Array.from({ length: 100 }, (_, n) => `S${n} f${n}`).join(';')]])
  assert.ok(missingStructs('A', wide).length < 64)
})

test('the type of a topic tells whether it is a struct', () => {
  assert.deepEqual(structIn('struct:Pose3d'), { name: 'Pose3d', isArray: false })
  assert.deepEqual(structIn('struct:Pose3d[]'), { name: 'Pose3d', isArray: true })
  for (const other of ['structschema', 'double[]', 'struct:', 'struct:[]', 'proto:Pose3d'])
    assert.equal(structIn(other), undefined)
})
