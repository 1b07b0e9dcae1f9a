// A pipeline is tried on a stream over HTTP: it runs, and what is stored comes back.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../../../api/stream/wire.ts'
import { FakeClock } from '../../../../native/clock/fake.ts'
import { type FakeEngineOptions, fakeEngines } from '../../../../native/engine/fake/fake.ts'
import { fakeApi } from '../../../support/api/api.ts'
import { askerOf } from '../../../support/api/ask.ts'
import { runnable, tagsAs } from '../../../support/engine/graphs.ts'
import { until } from '../../../support/until.ts'

const GRAPH = '/v1/streams/front/pipeline/graph'
const stored = tagsAs('stored')
const tried = tagsAs('tried')

/** A live stream `front`, whose own pipeline gives `stored`, and a stored pipeline `near` in its slot 2. */
const triedApi = async (t: TestContext, options: Pick<FakeEngineOptions, 'planFault'> = {}) => {
  const clock = new FakeClock()
  const engines = fakeEngines({ nowUs: clock.monotonicUs, byHand: true, ...options })
  const { app, fake } = await fakeApi(t, {}, { engines, clock })
  const ask = askerOf({ app })
  await ask('POST', '/v1/pipelines/graphs', { id: 'near', ...tagsAs('near') })
  const stream = await fake.addStream({
    id: 'front',
    source: { backend: 'synthetic' },
    pipeline: stored,
    slots: [{ slot: 2, graph_id: 'near' }],
  })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  return {
    ask,
    fake,
    stream,
    clock,
    engines,
    change: (body: object) => ask('POST', GRAPH, body),
    view: async () => (await ask('GET', '/v1/streams/front')).body as StreamView,
    commits: () => fake.documents.commits.length,
    /** Waits until the engine runs a pipeline with this output. */
    runs: (port: string) =>
      until(
        `a plan that gives ${port}`,
        () => fake.engine('front')?.task?.plan.outputs.map((output) => output.port),
        (now) => String(now) === port,
      ),
  }
}

test('what is tried runs and is not stored, and the document shows both', async (t) => {
  const { ask, change, view, runs, commits, clock } = await triedApi(t)
  const [before, written] = [await view(), commits()]

  const { status } = await change({ graph: tried, trial_s: 30, expected_revision: before.revision })
  await runs('tried')

  const { revision, spec, status: shown } = await view()
  assert.deepEqual([status, revision, spec, commits()], [204, before.revision, before.spec, written])
  assert.deepEqual(
    shown.pipeline.trial?.graph.outputs.map(({ port }) => port),
    ['tried'],
  )
  assert.equal(shown.pipeline.trial?.until_ms, clock.nowMs() + 30_000)
  assert.equal(shown.applied_revision, before.revision)
  const { outputs } = (await ask('GET', '/v1/streams/front/pipeline/outputs')).body as {
    readonly outputs: readonly { readonly port: string }[]
  }
  assert.ok(outputs.some(({ port }) => port === 'tried') && !outputs.some(({ port }) => port === 'stored'))
})

test('when its time is over what is stored runs again, unless it was sent again', async (t) => {
  const { change, view, runs, clock, stream } = await triedApi(t)
  await change({ graph: tried, trial_s: 5 })
  await runs('tried')
  clock.advanceMs(4_000)
  await change({ graph: tried, trial_s: 5 })
  clock.advanceMs(4_000)
  stream.tried.endInTime()
  assert.ok((await view()).status.pipeline.trial)

  clock.advanceMs(1_000)

  await runs('stored')
  assert.equal((await view()).status.pipeline.trial, null)
})

test('it is ended by an order, which changes nothing where nothing is tried', async (t) => {
  const { change, view, runs } = await triedApi(t)
  await change({ graph: tried, trial_s: 600 })
  await runs('tried')
  const { revision } = await view()

  const answers = [await change({ trial_s: null }), await change({ trial_s: null })]
  await runs('stored')

  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  )
  assert.equal((await view()).revision, revision)
})

test('whoever gives the stream a pipeline for good ends the trial, also with the one that is stored', async (t) => {
  const { change, view, runs } = await triedApi(t)
  const begin = async () => {
    await change({ graph: tried, trial_s: 600 })
    await runs('tried')
  }
  const trialAfter = async (body: object, port: string) => {
    await begin()
    assert.equal((await change(body)).status, 204)
    await runs(port)
    return (await view()).status.pipeline.trial
  }

  assert.equal(await trialAfter({ graph: stored }, 'stored'), null, 'the same')
  assert.equal(await trialAfter({ slot: null }, 'stored'), null, 'no slot, as before')
  assert.equal(await trialAfter({ graph: { ...stored, layout: { tags: { x: 1, y: 1 } } } }, 'stored'), null, 'moved')
  assert.equal(await trialAfter({ slot: 2 }, 'near'), null, 'a slot')
  assert.equal(await trialAfter({ slot: 2 }, 'near'), null, 'the slot that is stored')
  assert.equal(await trialAfter({ graph: tried }, 'tried'), null, 'what is tried, kept')
  const { spec } = await view()
  assert.deepEqual([spec.pipeline.outputs[0]?.port, spec.active_slot], ['tried', undefined])
})

test('a slot does not follow its stored pipeline while another is tried, and does so afterwards', async (t) => {
  const { ask, change, view, runs } = await triedApi(t)
  await change({ slot: 2 })
  await runs('near')
  await change({ graph: tried, trial_s: 600 })
  await runs('tried')
  const { revision } = await view()

  await ask('PUT', '/v1/pipelines/graphs/near', tagsAs('nearer'))
  const during = await view()
  await change({ trial_s: null })
  await runs('nearer')

  assert.deepEqual([during.revision, during.status.pipeline.slot], [revision, null])
  const { spec, status } = await view()
  assert.deepEqual([spec.active_slot, status.pipeline.slot, status.pipeline.trial], [2, 2, null])
})

test('any other change of the stream leaves the trial alone, and switching it off ends it', async (t) => {
  const { ask, change, view, runs, fake, engines } = await triedApi(t)
  await change({ graph: tried, trial_s: 600 })
  await runs('tried')
  const patch = (fields: object) => ask('PATCH', '/v1/streams/front', { patch: fields })

  await patch({ alias: 'Bow' })
  await change({ graph_id: 'near', slot: 4, activate: false })
  const { status, spec } = await view()
  assert.ok(status.pipeline.trial)
  assert.deepEqual([spec.alias, spec.pipeline.outputs[0]?.port], ['Bow', 'stored'])

  await patch({ enabled: false })
  assert.equal((await view()).status.pipeline.trial, null)
  await until(
    'the end of the engine',
    () => engines.alive.length,
    (count) => count === 0,
  )
  await patch({ enabled: true })
  await until('another engine', () => fake.engine('front')?.task)
  await runs('stored')
})

test('an engine that crashes comes back with what is tried, and the next one with what is stored', async (t) => {
  const { change, runs, fake, engines, clock } = await triedApi(t)
  await change({ graph: tried, trial_s: 60 })
  await runs('tried')
  const first = fake.engine('front')

  first.crash()
  await until('another engine', () => engines.alive.find((engine) => engine !== first)?.task)
  await runs('tried')
  fake.engine('front').crash()
  clock.advanceMs(60_000)

  await runs('stored')
})

test('who expects another revision, or asks for too long, tries nothing', async (t) => {
  const { change, view } = await triedApi(t)
  const { revision } = await view()

  const stale = await change({ graph: tried, trial_s: 30, expected_revision: revision - 1 })
  const long = await change({ graph: tried, trial_s: 601 })
  const unfit = await change({ slot: 2, trial_s: 30 })

  assert.deepEqual(
    [stale, long, unfit].map(({ status, body }) => [status, (body as { readonly code: string }).code]),
    [
      [409, 'revision.stale'],
      [400, 'body.invalid'],
      [400, 'body.invalid'],
    ],
  )
  assert.equal((await view()).status.pipeline.trial, null)
})

test('another trial takes the place of one, and both are told of', async (t) => {
  const { change, runs, fake, clock } = await triedApi(t)
  const told: string[] = []
  const { events } = fake.directory
  const stop = events.subscribe(({ kind, resource_ref }) => {
    if (kind === 'pipeline_changed') told.push(String(resource_ref.pipeline_id))
  })
  t.after(stop)

  await change({ graph: tried, trial_s: 30 })
  await runs('tried')
  await change({ graph: tried, trial_s: 30 })
  await change({ graph: tagsAs('other'), trial_s: 5 })
  await runs('other')
  clock.advanceMs(5_000)
  await runs('stored')

  assert.deepEqual(told, ['stream-front', 'stream-front', 'stream-front'])
})

test('why a slot does not follow its stored pipeline is still told when a trial is over', async (t) => {
  const cannot = { code: 'engine.bad_task', detail: 'No room.' } as const
  const { ask, change, view, runs } = await triedApi(t, {
    planFault: ({ outputs }) => (outputs.some(({ port }) => port === 'nearer') ? cannot : undefined),
  })
  const refusal = () =>
    until(
      'the refusal',
      async () => (await view()).status.pipeline.fault?.code,
      (code) => code === 'pipeline.refused',
    )
  await change({ slot: 2 })
  await runs('near')
  await ask('PUT', '/v1/pipelines/graphs/near', tagsAs('nearer'))
  await refusal()

  await change({ graph: tried, trial_s: 600 })
  await runs('tried')
  await change({ trial_s: null })
  await runs('near')

  await refusal()
})

test('what was ended, or overtaken, while an engine was still trying it is not begun', async (t) => {
  const { change, view, stream } = await triedApi(t)
  const tries: (() => void)[] = []
  const slowly = () => new Promise<null>((resolve) => tries.push(() => resolve(null)))
  Object.defineProperty(stream.engine, 'tryPlan', { value: slowly, configurable: true })
  const lateAfter = async (meanwhile: () => unknown) => {
    const late = change({ graph: tagsAs('late'), trial_s: 30 })
    const over = await until('a plan that is tried', () => tries.shift())
    await meanwhile()
    over?.()
    const { status, body } = await late
    return [status, (body as { readonly code?: string } | null)?.code]
  }
  const trialled = async () => (await view()).status.pipeline.trial?.graph.outputs[0]?.port

  assert.deepEqual(await lateAfter(() => change({ trial_s: null })), [409, 'revision.stale'], 'the page was closed')
  assert.equal(await trialled(), undefined)
  stream.tried.begin(runnable(tried).graph, 60)
  assert.deepEqual(await lateAfter(() => stream.tried.end()), [409, 'revision.stale'], 'a robot wants what is stored')
  assert.equal(await trialled(), undefined)
  const other = runnable(tagsAs('other')).graph
  assert.deepEqual(await lateAfter(() => stream.tried.begin(other, 60)), [409, 'revision.stale'], 'a newer trial')
  assert.equal(await trialled(), 'other')
  assert.deepEqual(await lateAfter(() => stream.tried.begin(other, 60)), [204, undefined], 'the same, sent again')
  assert.equal(await trialled(), 'late')
})
