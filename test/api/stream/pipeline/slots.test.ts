// The slots of a stream over HTTP: filled, switched, followed, emptied.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askNow } from '../../../../actors/ask.ts'
import type { StreamView } from '../../../../api/stream/wire.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { defaultGraph } from '../../../../machines/pipeline/graph.ts'
import { graphCollection } from '../../../../machines/pipeline/stored-graphs.ts'
import { deleteOrder } from '../../../../machines/settings/commit.ts'
import { FakeClock } from '../../../../native/clock/fake.ts'
import { fakeEngines } from '../../../../native/engine/fake/fake.ts'
import { fakeApi } from '../../../support/api/api.ts'
import { askerOf } from '../../../support/api/ask.ts'
import { tagsAs } from '../../../support/engine/graphs.ts'
import { until } from '../../../support/until.ts'

/**
 * A live stream `front`, and the stored pipelines `near` and `far`. refusal: why its engine makes no plan, for as long
 * as it is set. killer: the output of pipelines that end the engine which makes them.
 */
const slotsApi = async (t: TestContext) => {
  const world: { refusal?: Fault; killer?: string } = {}
  const clock = new FakeClock()
  const engines = fakeEngines({
    nowUs: clock.monotonicUs,
    byHand: true,
    planFault: (plan) => {
      if (plan.outputs.some(({ port }) => port === world.killer)) engines.alive[0]?.crash()
      return world.refusal
    },
  })
  const { app, fake } = await fakeApi(t, {}, { engines, clock })
  const ask = askerOf({ app })
  for (const id of ['near', 'far']) await ask('POST', '/v1/pipelines/graphs', { id, ...tagsAs(id) })
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  return {
    ask,
    fake,
    stream,
    world,
    change: (body: object) => ask('POST', '/v1/streams/front/pipeline/graph', body),
    store: (id: string, graph: object) => ask('PUT', `/v1/pipelines/graphs/${id}`, graph),
    view: async () => (await ask('GET', '/v1/streams/front')).body as StreamView,
    /** Waits until the engine runs a plan with these outputs. */
    runs: (...ports: readonly string[]) =>
      until(
        `a plan that gives ${ports}`,
        () => fake.engine('front').task?.plan.outputs.map(({ port }) => port),
        (now) => String(now) === String(ports),
      ),
    fault: (code: string | undefined) =>
      until(
        `the fault ${code}`,
        () => stream.status().pipeline,
        (now) => now.fault?.code === code,
      ),
  }
}

test('slots are filled with stored pipelines, and the stream is switched between them by number', async (t) => {
  const { change, view, runs } = await slotsApi(t)

  assert.equal((await change({ graph_id: 'near', slot: 2 })).status, 204)
  await runs('near')
  assert.equal((await change({ graph_id: 'far', slot: 7, activate: false })).status, 204)
  const { spec, status } = await view()
  assert.equal((await change({ slot: 7 })).status, 204)
  await runs('far')
  const switched = await view()
  assert.equal((await change({ slot: null })).status, 204)
  await runs('tags', 'tag_poses', 'pose')

  assert.deepEqual(spec.slots, [
    { slot: 2, graph_id: 'near' },
    { slot: 7, graph_id: 'far' },
  ])
  assert.deepEqual([spec.active_slot, status.pipeline], [2, { slot: 2, graph_id: 'near', fault: null, trial: null }])
  assert.deepEqual(switched.status.pipeline, { slot: 7, graph_id: 'far', fault: null, trial: null })
  assert.deepEqual((await view()).status.pipeline, { slot: null, graph_id: null, fault: null, trial: null })
})

test('an empty slot, a missing or invalid pipeline, and another revision change nothing', async (t) => {
  const { change, store, world, view } = await slotsApi(t)
  const { revision } = await view()
  await store('far', { nodes: [], edges: [], outputs: [] })
  const codeOf = async (body: object) => (await change(body)).body.code

  const broken = await change({ graph: { ...tagsAs('tags'), edges: [] } })
  const nothing = await change({})

  assert.match(
    broken.body.detail,
    /^the pipeline cannot run: the node tags has an input image .* \/v1\/pipelines\/validate /,
  )
  assert.match(nothing.body.detail, /^the body says nothing; give a graph/)
  assert.equal(await codeOf({ slot: 3 }), 'slot.empty')
  assert.equal(await codeOf({ graph_id: 'nobody' }), 'graph.not_found')
  assert.equal(await codeOf({ graph_id: 'far' }), 'body.invalid')
  assert.equal(await codeOf({ graph_id: 'near', expected_revision: revision + 1 }), 'revision.stale')
  world.refusal = { code: 'engine.bad_task', detail: 'it has no room for that' }
  assert.equal(await codeOf({ graph_id: 'near' }), 'pipeline.refused')
  assert.deepEqual([(await view()).revision, (await view()).spec.slots], [revision, undefined])
})

test('a stream takes up what becomes of the stored pipeline of its slot, and of no other', async (t) => {
  const { change, store, view, runs } = await slotsApi(t)
  await change({ graph_id: 'near', slot: 2 })
  await change({ graph_id: 'far', slot: 3, activate: false })
  await runs('near')
  const { revision } = await view()

  await store('far', tagsAs('farther'))
  await store('near', tagsAs('nearer'))
  await runs('nearer')

  const { spec, status, revision: after } = await view()
  assert.deepEqual([after, status.pipeline.fault], [revision + 1, null])
  assert.deepEqual(
    spec.pipeline.outputs.map(({ port }) => port),
    ['nearer'],
  )
  await change({ slot: 3 })
  await runs('farther')
})

test('a stored pipeline that stops being valid leaves the previous one running, and the status says why', async (t) => {
  const { ask, change, store, view, runs, fault, world } = await slotsApi(t)
  await change({ graph_id: 'near', slot: 2 })
  await runs('near')

  await store('near', { nodes: [], edges: [], outputs: [] })
  const { fault: unplanned } = await fault('pipeline.invalid')
  assert.match(unplanned?.detail ?? '', /: the stored pipeline near cannot run: the graph has no node of type source; /)
  world.refusal = { code: 'engine.bad_task', detail: 'it has no room for that' }
  await store('near', tagsAs('nearer'))
  const { fault: refused } = await fault('pipeline.refused')
  const smoke = (await ask('GET', '/v1/streams/front/pipeline/smoke')).body
  await runs('near')
  assert.match(refused?.detail ?? '', /^The pipeline of before goes on: .* it has no room for that$/)
  assert.deepEqual([smoke.pipeline_fault, smoke.slot, smoke.graph_id], [refused, 2, 'near'])
  assert.deepEqual([smoke.last_error.code, smoke.last_error.count], ['pipeline.refused', 1])
  assert.ok(smoke.warnings.some(({ code }: Fault) => code === 'pipeline.invalid'))

  delete world.refusal
  await store('near', tagsAs('again'))
  await runs('again')
  await fault(undefined)
  assert.equal((await view()).status.state, 'live')
})

test('a stored pipeline in a slot is not deleted; if it were lost, the stream would run its copy', async (t) => {
  const { ask, change, runs, fault, fake } = await slotsApi(t)
  const forget = () => ask('DELETE', '/v1/pipelines/graphs/near')
  await change({ graph_id: 'near', slot: 2 })
  await runs('near')

  const refused = await forget()
  assert.deepEqual([refused.status, refused.body.code], [409, 'graph.in_use'])
  assert.match(refused.body.detail, /that of front \(slot 2\)/)
  assert.equal((await change({ graph_id: null, slot: 2 })).body.code, 'slot.active')

  const settings = fake.directory.actor('settings')
  if (settings) await askNow(settings, deleteOrder(graphCollection, 'near'))
  await fault('graph.not_found')
  await runs('near')
  assert.equal((await change({ slot: 2 })).body.code, 'graph.not_found')
  assert.equal((await forget()).body.code, 'graph.not_found')
  await ask('POST', '/v1/pipelines/graphs', { id: 'near', ...tagsAs('back') })
  await runs('back')
  await fault(undefined)
  await change({ slot: null })
  assert.equal((await change({ graph_id: null, slot: 2 })).status, 204)
  assert.equal((await forget()).status, 204)
})

test('a stored pipeline tells which slots refer to it, and which of them runs', async (t) => {
  const { ask, change } = await slotsApi(t)
  const users = async () => (await ask('GET', '/v1/pipelines/graphs/near')).body.status.used_by
  assert.deepEqual(await users(), [])

  await change({ graph_id: 'near', slot: 2 })
  await change({ graph_id: 'near', slot: 5, activate: false })

  assert.deepEqual(await users(), [
    { stream_id: 'front', slot: 2, active: true },
    { stream_id: 'front', slot: 5, active: false },
  ])
})

test('a stream goes to another device with its slots, when their pipelines are there', async (t) => {
  const { ask, change, view } = await slotsApi(t)
  await change({ graph_id: 'near', slot: 2 })
  const { spec } = await view()

  const copied = await ask('POST', '/v1/streams', { ...spec, id: 'copy' })
  const { pipeline: _, own_pipeline: __, ...rest } = spec
  const short = await ask('POST', '/v1/streams', { ...rest, id: 'short' })
  const unknown = await ask('POST', '/v1/streams', { ...spec, id: 'lost', slots: [{ slot: 2, graph_id: 'nobody' }] })

  assert.deepEqual(copied.body.spec, { ...spec, id: 'copy' })
  assert.deepEqual(short.body.spec.pipeline, spec.pipeline)
  assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/slots/0/graph_id'])
})

test('a whole graph replaces the whole graph; a layout is set by itself and keeps the plan', async (t) => {
  const { ask, change, runs, view, fake } = await slotsApi(t)
  const place = (layout: object, more: object = {}) =>
    ask('POST', '/v1/streams/front/pipeline/layout', { layout, ...more })
  await change({ graph: { ...tagsAs('named'), name: 'Named', layout: { source: { x: 1, y: 2 } } } })
  await change({ graph: tagsAs('bare') })
  await runs('bare')
  const { spec, revision } = await view()
  const plan = fake.engine('front').task?.plan

  assert.deepEqual([spec.pipeline.name, spec.pipeline.layout], [undefined, undefined])
  assert.equal((await place({ source: { x: 1, y: 2 }, tags: { x: 3, y: 4 } })).status, 204)
  assert.equal((await place({ tags: { x: 5, y: 6 } }, { expected_revision: revision })).body.code, 'revision.stale')
  assert.equal((await place({ tags: { x: 5, y: 6 } }, { expected_revision: revision + 1 })).status, 204)
  assert.deepEqual((await view()).spec.pipeline.layout, { tags: { x: 5, y: 6 } })
  await until('the revision', () => fake.status('front')?.applied_revision === revision + 2)
  assert.equal(fake.engine('front').task?.plan, plan)
})

test('a pipeline that crashes the engine is refused, and the next engine runs the previous one', async (t) => {
  const { change, view, fake, world } = await slotsApi(t)
  const { revision } = await view()
  world.killer = 'fatal'
  world.refusal = { code: 'engine.crashed', detail: 'It stopped (SIGSEGV).' }

  const refused = await change({ graph: tagsAs('fatal') })

  assert.deepEqual([refused.status, refused.body.code], [502, 'pipeline.refused'])
  assert.match(refused.body.detail, /goes back to the pipeline of before .* It stopped \(SIGSEGV\)/)
  assert.equal((await view()).revision, revision)
  await until('another engine', () => fake.status('front')?.restarts === 1 && fake.engine('front')?.task)
  assert.deepEqual(
    fake.engine('front').task?.plan.outputs.map(({ port }) => port),
    ['tags', 'tag_poses', 'pose'],
  )
})

test('a write that expects another revision is refused before the engine is asked', async (t) => {
  const { change, view, world } = await slotsApi(t)
  const { revision } = await view()
  world.refusal = { code: 'engine.bad_task', detail: 'no plans' }

  const stale = await change({ graph: tagsAs('other'), expected_revision: revision + 1 })

  assert.equal(stale.body.code, 'revision.stale')
})

test('live parameters are told to the engine, which makes nothing for them', async (t) => {
  const { change, runs, fake, world } = await slotsApi(t)
  await change({ graph: tagsAs('tags') })
  await runs('tags')
  world.refusal = { code: 'engine.bad_task', detail: 'no more plans' }

  const tuned = await change({ graph: tagsAs('tags', { min_margin: 77 }) })
  const other = await change({ graph: tagsAs('tags', { decimate: 4 }) })

  assert.deepEqual([tuned.status, other.status], [204, 502])
  const marginOf = () => fake.engine('front').task?.plan.steps.find(({ id }) => id === 'tags')?.params.min_margin
  await until('the new margin', () => String(marginOf()) === '77')
})

test('an invalid output is refused by its name, and the pointer leads to the fault in the order', async (t) => {
  const { ask } = await slotsApi(t)
  const refusal = async (body: object) => {
    const { status, body: problem } = await ask('POST', '/v1/streams/front/pipeline/output', body)
    return [status, problem.errors?.[0]?.pointer, problem.detail]
  }

  assert.deepEqual(await refusal({ port: 'more', from: 'tags.nope' }), [
    ...[
      400,
      '/from',
      'the pipeline cannot run: the output more is tags.nope, but apriltag has no output nope; it has detections',
    ],
  ])
  const [status, pointer, detail] = await refusal({ port: 'truth', from: 'tags.detections' })
  assert.deepEqual([status, pointer], [400, '/port'])
  assert.match(detail, /the output truth is truth, which is kept for the synthetic camera; choose another name/)
})

test('the pipeline of a slot is changed where it is stored', async (t) => {
  const { ask, change } = await slotsApi(t)
  await change({ graph_id: 'near', slot: 2 })

  const layout = await ask('POST', '/v1/streams/front/pipeline/layout', { layout: {} })
  const output = await ask('POST', '/v1/streams/front/pipeline/output', { port: 'more', from: 'tags.detections' })

  assert.deepEqual([layout.body.code, output.body.code], ['pipeline.stored', 'pipeline.stored'])
  assert.match(layout.body.detail, /PUT \/v1\/pipelines\/graphs\/near/)
  assert.equal((await change({ graph: defaultGraph })).status, 204)
  assert.equal((await ask('POST', '/v1/streams/front/pipeline/layout', { layout: {} })).status, 204)
})
