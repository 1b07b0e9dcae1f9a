// What the planner accepts, the engine makes and runs: graphs by chance, with parameters by chance, over the real
// nodes. Chance has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header } from '../../../../machines/engine/result.ts'
import { planGraph } from '../../../../machines/pipeline/plan.ts'
import { nodeTypes } from '../../../../machines/pipeline/registry.ts'
import type { EngineEvent } from '../../../../native/engine/port.ts'
import { startEngine } from '../../../support/engine/engine-task.ts'
import { brokenGraph, randomGraph, randomParams, seeded } from '../../../support/engine/random-graphs.ts'

const SMALL = { backend: 'synthetic', width_px: 128, height_px: 96, fps: 60 } as const
const GRAPHS = 64

/** Chance crops what lies outside of the picture: nothing is left to be shown. */
const isCutAway = (event: EngineEvent): boolean =>
  event.type === 'warned' && event.fault.code === 'picture.unencodable' && event.fault.detail.includes('without pixels')

test('graphs by chance run in the engine when the planner accepts them', async (t) => {
  const camera = await startEngine(t)
  await camera.open({ source: SMALL })
  const ran = new Map<string, number>()
  let plans = header(await camera.nextResult(), 'plan')

  for (let seed = 1; seed <= GRAPHS; seed++) {
    const random = seeded(seed)
    const graph = seed % 4 === 0 ? brokenGraph(random) : randomGraph(random, 40, randomParams)
    const planned = planGraph(graph)
    if (!planned.ok) continue
    const shown = planned.plan.outputs.filter(({ kind }) => kind === 'image')
    const told = planned.plan.outputs.filter(({ kind }) => kind !== 'image')
    const look = { max_width_px: 0, quality: 0, overlay: false, fps: 0 }
    camera.engine.setPictureKinds(shown.map(({ port }) => ({ key: port, output: port, ...look })))
    const made = await Effect.runPromise(Effect.result(camera.engine.setPlan(planned.plan)))
    assert.ok(made._tag === 'Success', JSON.stringify([seed, made, graph]))
    let result = await camera.nextResult()
    while (header(result, 'plan') === plans) result = await camera.nextResult()
    plans = header(result, 'plan')
    assert.equal(result.layout.outputs.length, told.length + 2, 'and the truth, and what is visible')
    for (const { type } of planned.plan.steps) ran.set(type, (ran.get(type) ?? 0) + 1)
  }

  const never = Object.keys(nodeTypes).filter((type) => !ran.has(type))
  assert.deepEqual(never, [], 'types that chance never ran')
  assert.ok(camera.pictures.length > 0, 'pictures were made')
  // On a busy machine a script is late as well.
  const isLate = (event: EngineEvent) => event.type === 'warned' && event.fault.code === 'step.too_slow'
  const others = camera.events.filter((event) => event.type !== 'first-frame' && !isLate(event) && !isCutAway(event))
  assert.deepEqual(others, [], 'nothing failed on the way')
})
