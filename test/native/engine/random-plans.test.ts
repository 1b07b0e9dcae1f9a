// What the planner accepts, the engine runs: graphs by chance, over the real nodes. Chance has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineGraph } from '../../../machines/pipeline/examine.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { brokenGraph, randomGraph, seeded } from '../../support/random-graphs.ts'
import { stepped } from '../../support/stepped.ts'

const SMALL = { backend: 'synthetic', width_px: 128, height_px: 96 } as const

test('graphs by chance run in the engine when the planner accepts them', async () => {
  let ran = 0
  for (let seed = 1; seed <= 16; seed += 1) {
    const graph = seed % 2 === 0 ? randomGraph(seeded(seed), 12) : brokenGraph(seeded(seed))
    if (!planGraph(graph).ok) continue
    const results = await stepped({ manifest: { source: SMALL, pipeline: graph }, frames: 2 })
    assert.equal(results.length, 2, JSON.stringify(examineGraph(graph).diagnostics))
    ran += 1
  }

  assert.ok(ran >= 6, `only ${ran} graphs could be planned`)
})
