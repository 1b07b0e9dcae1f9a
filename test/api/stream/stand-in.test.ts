// A pipeline that cannot be made, or that ends engines, costs no camera: another runs in its place, and the status says
// so.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { fakeApi } from '../../support/api/api.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import { until } from '../../support/until.ts'

/**
 * Streams whose engines show frames by themselves. Outputs of these names make trouble: unmade: cannot be made; fatal:
 * ends the engine that makes it; deadly: ends the one that runs it.
 */
const troubledApi = async (t: TestContext) => {
  const world = { unmade: '', fatal: '', deadly: '' }
  const has = ({ outputs }: Plan, port: string) => outputs.some((each) => each.port === port)
  const judge = (plan: Plan) => {
    if (has(plan, world.fatal)) {
      engines.alive[0]?.crash()
      return { code: 'engine.crashed', detail: 'It stopped (SIGSEGV).' } as const
    }
    return has(plan, world.unmade)
      ? ({ code: 'engine.bad_task', detail: 'There is no such model.' } as const)
      : undefined
  }
  const judgeTask = ({ plan }: { readonly plan: Plan }) => {
    if (has(plan, world.deadly)) setImmediate(() => engines.alive[0]?.crash())
    return judge(plan)
  }
  const clock = new FakeClock()
  const engines = fakeEngines({ nowUs: clock.monotonicUs, planFault: judge, openFault: judgeTask })
  const { app, fake } = await fakeApi(t, {}, { engines, clock })
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const { statusCode } = await app.inject({
      method,
      url,
      headers: { host: 'localhost' },
      ...(payload && { payload }),
    })
    return statusCode
  }
  const created = (graph: object) =>
    ask('POST', '/v1/streams', { id: 'front', source: { backend: 'synthetic' }, pipeline: graph })
  const fault = (code: string | undefined, restarts = 0) =>
    until(
      `a live stream with the fault ${code}`,
      () => fake.status('front'),
      (now) => now?.state === 'live' && now.pipeline.fault?.code === code && now.restarts >= restarts,
    )
  const runs = () => fake.engine('front').task?.plan.outputs.map(({ port }) => port)
  return { ask, created, fault, runs, fake, world }
}

test('a pipeline that cannot be made opens the camera with its source alone, until a better is stored', async (t) => {
  const { ask, created, fault, runs, world } = await troubledApi(t)
  world.unmade = 'tags'
  assert.equal(await created(tagsAs('tags')), 200)

  const status = await fault('pipeline.refused')
  const alone = runs()
  await ask('POST', '/v1/streams/front/pipeline/graph', { graph: tagsAs('more') })
  const mended = await fault(undefined)

  assert.match(status?.pipeline.fault?.detail ?? '', /^Pictures come, and nothing is computed .* no such model\.$/)
  assert.deepEqual([alone, status?.fault, status?.applied_revision], [[], null, null])
  assert.deepEqual([runs(), mended?.pipeline.fault], [['more'], null])
})

test('a stored pipeline that ends the engine which tries it is tried once, and again when it is changed', async (t) => {
  const { ask, created, fault, runs, fake, world } = await troubledApi(t)
  await created(tagsAs('tags'))
  await ask('POST', '/v1/pipelines/graphs', { id: 'near', ...tagsAs('near') })
  await fault(undefined)
  await ask('POST', '/v1/streams/front/pipeline/graph', { graph_id: 'near', slot: 1 })
  world.fatal = 'fatal'

  await ask('PUT', '/v1/pipelines/graphs/near', tagsAs('fatal'))
  const refused = await fault('pipeline.refused', 1)
  await ask('PUT', '/v1/pipelines/graphs/near', tagsAs('mended'))
  await until('the mended pipeline', () => String(runs()) === 'mended')

  assert.match(
    refused?.pipeline.fault?.detail ?? '',
    /^The pipeline of before goes on: .* near: engines .* ended.* stopped \(SIGSEGV\)\.$/,
  )
  assert.equal(fake.status('front')?.restarts, 1)
})

test('a pipeline that crashes engines gives way to the previous one until the stream is restarted', async (t) => {
  const { ask, created, fault, runs, world } = await troubledApi(t)
  await created(tagsAs('tags'))
  await fault(undefined)
  await ask('POST', '/v1/streams/front/pipeline/graph', { graph: tagsAs('deadly') })
  await until('the other pipeline', () => String(runs()) === 'deadly')

  world.deadly = 'deadly'
  await ask('POST', '/v1/streams/front/restart')
  const status = await fault('pipeline.refused', 3)
  const before = runs()
  world.deadly = ''
  await ask('POST', '/v1/streams/front/restart')
  await fault(undefined)

  assert.match(
    status?.pipeline.fault?.detail ?? '',
    /^The pipeline of before goes on: engines that made the wanted one/,
  )
  assert.deepEqual([before, runs()], [['tags'], ['deadly']])
})

test('what the check of a pipeline calls an error is refused wherever it would be run', async (t) => {
  const { ask, created, fault } = await troubledApi(t)
  await created(tagsAs('tags'))
  await fault(undefined)
  const looking = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'look', type: 'classifier', params: { model: 'gone.onnx' } },
    ],
    edges: [{ from: 'source.colour', to: 'look.image' }],
    outputs: [{ port: 'seen', from: 'look.classes' }],
  }
  const manifest = { id: 'other', source: { backend: 'synthetic' }, pipeline: looking }
  await ask('POST', '/v1/pipelines/graphs', { id: 'looking', ...looking })

  assert.equal(await ask('POST', '/v1/streams', manifest), 422)
  assert.equal(await ask('POST', '/v1/streams/validate', manifest), 422)
  assert.equal(await ask('POST', '/v1/streams/front/pipeline/graph', { graph: looking }), 400)
  assert.equal(await ask('POST', '/v1/streams/front/pipeline/graph', { graph_id: 'looking', activate: false }), 400)
})
