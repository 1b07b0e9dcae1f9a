// A part of a pipeline, changed by another device.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GraphPatchAnswer } from '../../../machines/interdevice/graph-patch.ts'
import { assertProblem } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'

const headers = { host: 'localhost' }

const patching = async (t: TestContext, parts = {}) => {
  const { app, fake } = await busyApi(t, parts)
  const made = await app.inject({
    method: 'POST',
    url: '/v1/peers/trust',
    payload: { name: 'front' },
    headers: { ...headers, authorization: 'Bearer good-token' },
  })
  const authorization = `Bearer ${JSON.parse(made.body).token}` // of a device, which may bring no scripts
  const revision = () => fake.streams.get('front')?.stored.revision as number
  const send = async (patch: readonly object[], more: object = {}, id = 'front') => {
    const url = `/v1/interdevice/streams/${id}/pipeline/graph/patch`
    const payload = { expected_pipeline_revision: revision(), patch, ...more }
    const response = await app.inject({ method: 'POST', url, headers: { ...headers, authorization }, payload })
    const contentType = response.headers['content-type'] as string
    return { status: response.statusCode, body: response.body, contentType }
  }
  const graph = () => fake.streams.get('front')?.manifest.pipeline
  return { app, fake, send, graph, revision }
}

const decimated = (value: number) => [
  { op: 'test', path: '/nodes/2/id', value: 'tags' },
  { op: 'replace', path: '/nodes/2/params/decimate', value },
]

test('a patch changes what it names, and the answer says what came of it', async (t) => {
  const { send, graph, revision } = await patching(t)

  const { status, body } = await send([
    ...decimated(2),
    { op: 'add', path: '/outputs/-', value: { port: 'more', from: 'tags.detections' } },
  ])
  const answer = JSON.parse(body) as GraphPatchAnswer

  assert.equal(status, 200, body)
  assert.equal(graph()?.nodes[2]?.params.decimate, 2)
  assert.deepEqual([answer.accepted, answer.pipeline_revision], [true, revision()])
  assert.deepEqual([answer.summary.nodes, answer.summary.operations], [6, 3])
  assert.ok(answer.summary.outputs.includes('more'))
})

test('what an operation has beside what RFC 6902 defines is ignored, as that says', async (t) => {
  const { send, graph } = await patching(t)
  const noted = decimated(2).map((operation) => ({ ...operation, old: 2, note: { by: 'an editor' } }))

  const { status, body } = await send(noted)

  assert.equal(status, 200, body)
  assert.equal(graph()?.nodes[2]?.params.decimate, 2)
})

test('a patch for another revision is refused with the present one', async (t) => {
  const { send, graph, revision } = await patching(t)
  const before = graph()

  const problem = assertProblem(
    await send(decimated(2), { expected_pipeline_revision: revision() + 1 }),
    'revision.stale',
  )

  assert.deepEqual(problem.context, { revision: revision() })
  assert.equal(graph(), before)
})

test('an operation that cannot be carried out, and a graph that cannot run, are refused with the place', async (t) => {
  const { send, graph } = await patching(t)
  const before = graph()
  const pointers = async (patch: readonly object[]) =>
    assertProblem(await send(patch), 'patch.refused').errors?.map(({ pointer }) => pointer)

  const failed = await pointers([{ op: 'test', path: '/nodes/2/id', value: 'gray' }, ...decimated(2)])
  const beyond = await pointers([...decimated(2), { op: 'remove', path: '/nodes/99' }])
  const misfit = await pointers([{ op: 'add', path: '/colour', value: 'red' }])
  const impossible = await pointers(decimated(1000))
  const open = await pointers([{ op: 'remove', path: '/nodes/1' }])

  assert.deepEqual([failed, beyond, misfit], [['/patch/0/value'], ['/patch/2/path'], ['/graph/colour']])
  assert.deepEqual(impossible, ['/graph/nodes/2/params/decimate'])
  assert.match(String(open), /^\/graph\/edges\/\d/)
  assert.equal(graph(), before)
})

test('a graph that the engine cannot make is refused, and the one of before goes on', async (t) => {
  const { send, graph, fake } = await patching(t)
  const before = graph()
  const refuses = async () => ({ code: 'engine.failed', detail: 'no memory' })
  Object.defineProperty(fake.streams.get('front')?.engine, 'tryPlan', { value: refuses })

  assertProblem(await send(decimated(2)), 'pipeline.refused')

  assert.equal(graph(), before)
})

test('a pipeline that is stored is changed where it is stored, and an internal stream is not there', async (t) => {
  const { send, app, fake } = await patching(t)
  const payload = { graph_id: 'tags-near', slot: 0 }
  await app.inject({ method: 'POST', url: '/v1/streams/front/pipeline/graph', headers, payload })

  assertProblem(await send(decimated(2)), 'pipeline.stored')
  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  assertProblem(await send(decimated(2)), 'stream.not_found')
})

test('a repeat is answered like the first, and changes nothing', async (t) => {
  const { send, revision } = await patching(t)
  const once = { request_id: 'once', expected_pipeline_revision: revision() }

  const answers = [await send(decimated(2), once), await send(decimated(2), once)]

  assert.equal(answers[0]?.status, 200)
  assert.deepEqual(answers[1], answers[0])
})

test('a script cannot be put together of parts by who may bring none, and one that is there may stay', async (t) => {
  const api = await patching(t, { profile: 'field' })
  const script = { id: 'own', type: 'script', params: { code: 'export const process = () => ({})' } }
  const whole = [{ op: 'add', path: '/nodes/-', value: script }]
  const parts = [
    { op: 'add', path: '/nodes/-', value: { ...script, type: 'gray' } },
    { op: 'replace', path: '/nodes/6/type', value: 'script' },
  ]

  const answers = [await api.send(whole), await api.send(parts), await api.send(decimated(2))]

  for (const answer of answers.slice(0, 2)) assertProblem(answer, 'token.required')
  assert.equal(answers[2]?.status, 200, answers[2]?.body)
})
