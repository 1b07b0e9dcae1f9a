import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planGraph } from '../../../../machines/pipeline/plan.ts'

/** What is said about these corners of a rectangle; undefined: they are taken. */
const refusalOf = (corners: readonly (readonly [number, number])[]) => {
  const planned = planGraph({
    nodes: [
      { id: 'cam', type: 'source' },
      { id: 'straight', type: 'keystone', params: { corners } },
      { id: 'light', type: 'exposure-stats' },
    ],
    edges: [
      { from: 'cam.image', to: 'straight.image' },
      { from: 'straight.image', to: 'light.image' },
    ],
    outputs: [{ port: 'light', from: 'light.exposure' }],
  })
  return planned.ok ? undefined : planned.errors
}

test('four corners that go clockwise around a part of the picture are taken', () => {
  assert.equal(
    refusalOf([
      [0.2, 0.1],
      [0.8, 0.15],
      [1, 1],
      [0, 0.9],
    ]),
    undefined,
  )
})

test('corners that make no rectangle are refused where they stand', () => {
  const wrong = [
    [[0, 0] as const, [0, 1] as const, [1, 1] as const, [1, 0] as const], // the other way round
    [[0, 0] as const, [1, 0] as const, [0.2, 0.2] as const, [0, 1] as const], // one between the others
    [[0, 0] as const, [1, 0] as const, [0, 1] as const, [1, 1] as const], // crossed
    [[0, 0] as const, [0, 0] as const, [1, 1] as const, [0, 1] as const], // two together
  ]

  const refusals = wrong.map(refusalOf)

  for (const errors of refusals) {
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/nodes/1/params/corners'],
    )
    assert.match(errors?.[0]?.message ?? '', /clockwise/)
  }
})
