// Another pipeline for a camera that is open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import { defaultGraph, type Plan } from '../../../../machines/pipeline/graph.ts'
import { type EngineProbe, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { planOf, tagsAs } from '../../../support/engine/graphs.ts'

const portsOf = (result: Result): string => result.layout.outputs.map(({ port }) => port).join()

/** No picture is skipped: whatever the machine does, a gap is a fault. */
const opened = async (camera: EngineProbe, path: string): Promise<void> => {
  await camera.open({ source: { backend: 'images', path, fps: 60, pace: 'lossless' } })
  await camera.nextResult()
}

/** Results until one is as wanted; that one. */
const resultThat = async (camera: EngineProbe, isWanted: (result: Result) => boolean): Promise<Result> => {
  for (;;) {
    const result = await camera.nextResult()
    if (isWanted(result)) return result
  }
}

test('pipelines switch again and again while the camera goes on, and each result has its own layout', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await opened(camera, path)
  const plans = [planOf(tagsAs('only')), planOf(defaultGraph)]

  for (let n = 0; n < 20; n++) {
    await Effect.runPromise(camera.engine.setPlan(plans[n % 2] as Plan))
    const wanted = n % 2 === 0 ? 'only' : 'tags,tag_poses,pose'
    await resultThat(camera, (result) => portsOf(result) === wanted)
  }

  const results = camera.results.map((result) => ({ seq: header(result, 'seq'), plan: header(result, 'plan') }))
  for (const [n, { seq, plan }] of results.entries()) {
    const before = results[n - 1] ?? { seq: seq - 1, plan }
    assert.equal(seq, before.seq + 1, 'each picture has its result')
    assert.ok(plan === before.plan || plan === before.plan + 1, 'plans come in their order')
  }
  for (const result of camera.results) {
    const rows = rowsOf(result, portsOf(result) === 'only' ? 'only' : 'tags')
    assert.ok((rows?.count ?? 0) > 0, 'the tags are found')
    const last = rowsOf(result, result.layout.outputs.at(-1)?.port as string)
    assert.equal(result.data.length, (last?.offset ?? 0) + (last?.count ?? 0) * (last?.stride ?? 0))
  }
  assert.equal(camera.events.filter(({ type }) => type !== 'first-frame').length, 0, 'nothing was lost or warned of')
})

test('a pipeline that cannot be made is refused, and the one of before goes on', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await opened(camera, path)
  const plan = planOf(tagsAs('only'))
  const broken = {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, type: step.type === 'apriltag' ? 'teapot' : step.type })),
  }

  for (const ordered of [camera.engine.setPlan(broken), camera.engine.tryPlan(broken)]) {
    const fault = await Effect.runPromise(Effect.flip(ordered))
    assert.match(fault.detail, /teapot/)
  }
  const plansBefore = header(camera.results.at(-1) as Result, 'plan')
  await Effect.runPromise(camera.engine.tryPlan(plan))
  const result = await camera.nextResult()

  assert.deepEqual([portsOf(result), header(result, 'plan')], ['tags,tag_poses,pose', plansBefore])
})

test('a pipeline that was tried is run when it is wanted, whatever became of the camera meanwhile', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  const [plan, other] = [planOf(tagsAs('only')), planOf(tagsAs('other'))]
  const run = async (wanted: Plan, ports: string) => {
    await Effect.runPromise(camera.engine.setPlan(wanted))
    await resultThat(camera, (result) => portsOf(result) === ports)
  }

  await opened(camera, path)
  await Effect.runPromise(camera.engine.tryPlan(plan))
  await run(plan, 'only')
  await Effect.runPromise(camera.engine.tryPlan(plan))
  await run(other, 'other')
  await Effect.runPromise(camera.engine.tryPlan(plan))
  await opened(camera, path)
  await run(plan, 'only')

  const plans = [...new Set(camera.results.map((result) => header(result, 'plan')))]
  assert.deepEqual(plans, [1, 2, 3, 4, 5], 'trials take no numbers')
})

test('a parameter that is live takes effect in a picture that follows, and in no plan that is made anew', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await opened(camera, path)
  await Effect.runPromise(camera.engine.setPlan(planOf(tagsAs('only'))))
  const before = await resultThat(camera, (result) => portsOf(result) === 'only')
  const { steps } = planOf(tagsAs('only', { ids: [999] }))

  camera.engine.setParams(steps.map(({ id, params }) => ({ id, params })))
  const after = await resultThat(camera, (result) => rowsOf(result, 'only')?.count === 0)
  camera.engine.setParams([{ id: 'nobody', params: {} }])
  const warned = await camera.nextEvent('warned')

  assert.ok((rowsOf(before, 'only')?.count ?? 0) > 0)
  assert.equal(header(after, 'plan'), header(before, 'plan'))
  assert.match(warned.type === 'warned' ? warned.fault.detail : '', /nobody/)
})

test('parameters that come right behind a pipeline are those of that pipeline', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await opened(camera, path)
  const { steps } = planOf(tagsAs('only', { ids: [999] }))

  const switched = Effect.runPromise(camera.engine.setPlan(planOf(tagsAs('only'))))
  camera.engine.setParams(steps.map(({ id, params }) => ({ id, params })))
  await switched
  const seen: (number | undefined)[] = []
  while (seen.length < 30 && seen.at(-1) !== 0) {
    const result = await resultThat(camera, (each) => portsOf(each) === 'only')
    seen.push(rowsOf(result, 'only')?.count)
  }

  assert.equal(seen.at(-1), 0, `tags: ${seen}`)
})

test('a pipeline for no camera is refused', async (t) => {
  const camera = await startEngine(t)

  const fault = await Effect.runPromise(Effect.flip(camera.engine.setPlan(planOf(defaultGraph))))

  assert.match(fault.detail, /no camera is open/)
})
