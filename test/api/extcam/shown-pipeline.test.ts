// The number of the pipeline that robot programs wait for: only of what runs.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { type Answered, assertProblem, fakeApi } from '../../support/api/api.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import { until } from '../../support/until.ts'

/**
 * A stream as the vendor's camera. Slots 1 and 2 are of the same stored pipeline, slot 3 is of another, slot 4 of one
 * that cannot run. refusal: why its engine opens with no pipeline that gives `far`, for as long as it is set.
 */
const vendor = async (t: TestContext, active_slot: number, refusal?: Fault) => {
  const world = { refusal }
  const gives = (outputs: readonly { readonly port: string }[]) => outputs.some(({ port }) => port === 'far')
  const judge = ({ outputs }: { readonly outputs: readonly { readonly port: string }[] }) =>
    gives(outputs) ? world.refusal : undefined
  const clock = new FakeClock()
  const engines = fakeEngines({
    nowUs: clock.monotonicUs,
    byHand: true,
    planFault: judge,
    openFault: ({ plan }) => judge(plan),
  })
  const { app, fake } = await fakeApi(t, {}, { engines, clock })
  const headers = { host: 'localhost' }
  const post = async (url: string, payload: object) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
    assert.ok(statusCode < 300, body)
  }
  const get = async (path: string) => (await app.inject({ url: `/extcam/limelight/${path}`, headers })).json()
  await post('/v1/device/nt4', { emulate_extcam_api: true })
  for (const id of ['near', 'far']) await post('/v1/pipelines/graphs', { id, ...tagsAs(id) })
  await post('/v1/pipelines/graphs', { id: 'draft', nodes: [], edges: [], outputs: [] })
  const slots = [
    { slot: 1, graph_id: 'near' },
    { slot: 2, graph_id: 'near' },
    { slot: 3, graph_id: 'far' },
    { slot: 4, graph_id: 'draft' },
  ]
  await post('/v1/streams', { id: 'front', source: { backend: 'synthetic' }, slots, active_slot })
  const opened = () => until('an open camera', () => fake.engine('front')?.task)
  return {
    world,
    /** Its first frame: from then on it is live. */
    live: async () => {
      await opened()
      fake.engine('front').showFrame()
      await fake.state('front', 'live')
    },
    show: () => fake.engine('front').showFrame(),
    switchTo: (slot: number) => post('/v1/streams/front/pipeline/graph', { slot }),
    fault: (code: string | undefined) =>
      until(`the fault ${code}`, () => fake.status('front')?.pipeline.fault?.code === code),
    /** As clients of the vendor do it. */
    ask: async (query: string) => {
      const url = `/extcam/limelight/pipeline-switch${query}`
      const {
        statusCode,
        body,
        headers: given,
      } = await app.inject({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/json' },
      })
      return { status: statusCode, body, contentType: String(given['content-type'] ?? '') }
    },
    activeSlot: async () => (await app.inject({ url: '/v1/streams/front', headers })).json().spec.active_slot,
    inResults: async () => (await get('results')).pID,
    inStatus: async () => (await get('status')).pipelineIndex,
  }
}

test('a switch between two slots of the same pipeline shows with the next frame', async (t) => {
  const { live, show, switchTo, inResults } = await vendor(t, 1)
  await live()
  const before = await inResults()

  await switchTo(2)
  await until('the switch', async () => {
    show()
    return (await inResults()) === 2
  })

  assert.equal(before, 1)
})

const noModel: Fault = { code: 'engine.bad_task', detail: 'There is no such model.' }

test('a pipeline that is refused when the camera is opened has no number, until it can run', async (t) => {
  const { live, show, world, switchTo, fault, inResults, inStatus } = await vendor(t, 3, noModel)
  await live()
  await fault('pipeline.refused')
  show()
  const refused = [await inResults(), await inStatus()]

  world.refusal = undefined
  await switchTo(1)
  await fault(undefined)
  await until('the number', async () => {
    show()
    return (await inResults()) === 1
  })

  assert.deepEqual(refused, [-1, -1])
})

test('clients of the vendor switch pipelines without a body, and read the number that runs', async (t) => {
  const { live, show, ask, activeSlot, inResults } = await vendor(t, 1)
  await live()

  const answer = await ask('?index=3&t=1712')
  const stored = await activeSlot()
  await until('the switch', async () => {
    show()
    return (await inResults()) === 3
  })

  assert.deepEqual([answer.status, answer.body, stored], [200, '', 3])
})

test('a switch that cannot be is refused with the reason, and what runs goes on', async (t) => {
  const { live, ask, activeSlot } = await vendor(t, 1, noModel)
  await live()

  const asked = ['?index=7', '?index=3', '?index=4', '?index=10', ''].map(ask)
  const [empty, refused, draft, tooLarge, unsaid] = (await Promise.all(asked)) as [
    Answered,
    Answered,
    Answered,
    Answered,
    Answered,
  ]

  assert.match(assertProblem(empty, 'slot.empty').detail, /the slot 7 of the stream front/)
  assert.match(assertProblem(refused, 'pipeline.refused').detail, /no such model/)
  assert.match(
    assertProblem(draft, 'pipeline.refused').detail,
    /^the pipeline of slot 4 cannot be had: the stored pipeline draft cannot run: /,
  )
  assertProblem(tooLarge, 'query.invalid')
  assertProblem(unsaid, 'query.invalid')
  assert.equal(await activeSlot(), 1)
})
