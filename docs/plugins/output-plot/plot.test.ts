// What is plotted, and where.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Curve, numbersOf } from './panel/plot.js'

test('the numbers of a frame are its rows and what stands in the first of each output', () => {
  const numbers = numbersOf({
    tags: { kind: 'detections', rows: [{ id: 7, margin: 60, family: 'tag36h11' }, { id: 8 }] },
    aim: { kind: 'values', rows: [{ values: { offset: 0.25, is_seen: true } }] },
    none: { kind: 'targets', rows: [] },
  })

  assert.deepEqual(
    [...numbers],
    [
      ['tags: rows', 2],
      ['tags: id', 7],
      ['tags: margin', 60],
      ['aim: rows', 1],
      ['aim: offset', 0.25],
      ['none: rows', 0],
    ],
  )
})

test('a curve is the last minute, the newest at the right edge', () => {
  const curve = new Curve()
  for (const second of [0, 30, 60, 90]) curve.add(second * 1e6, second)

  assert.deepEqual(curve.placesIn(600, 100), [
    [0, 100],
    [300, 50],
    [600, 0],
  ])
})

test('a number that stays the same is in the middle', () => {
  const curve = new Curve()
  curve.add(1, 5)

  assert.deepEqual(curve.placesIn(100, 100), [[100, 50]])
})

test('a clock that goes back begins the curve again', () => {
  const curve = new Curve()
  curve.add(9e6, 1)
  curve.add(1e6, 2)

  assert.equal(curve.points.length, 1)
})
