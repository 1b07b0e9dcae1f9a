// Pipelines as a client sees them: copied from a template, broken, repaired with what the planner offers, kept, taken
// along.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { applyPatch, type Operation } from 'rfc6902'
import type { Diagnostic } from '../../../machines/pipeline/diagnostic.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import type { EngineTask } from '../../../native/engine/port.ts'
import { assertProblem, listeningApi } from '../../support/api/api.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import type { ServiceParts } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const GRAPHS = '/v1/pipelines/graphs'
const VALIDATE = '/v1/pipelines/validate'

/** A service over a socket. */
const service = async (t: TestContext, parts: ServiceParts = {}) => {
  const { url, fake } = await listeningApi(t, {}, parts)
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text,
      contentType: response.headers.get('content-type') ?? '',
      json: () => JSON.parse(text),
    }
  }
  const template = async (id: string): Promise<GraphDocument> =>
    (await ask('GET', `/v1/pipelines/templates/${id}`)).json().graph
  return { ask, fake, template }
}

test('a template is copied, one edge broken, the diagnostic read, its fix applied, and it is valid', async (t) => {
  const { ask, template } = await service(t)
  const graph = await template('apriltag-3d')
  const { items } = (await ask('GET', '/v1/pipelines/templates')).json()
  assert.ok(items.some(({ id }: { id: string }) => id === 'apriltag-3d'))

  const edges = graph.edges.filter(({ to }) => to !== 'points.detections')
  const created = await ask('POST', GRAPHS, { ...graph, name: 'My Tags', edges })
  assert.equal(created.status, 201)
  const { id, spec, status, revision } = created.json()
  assert.deepEqual([id, revision, created.headers.get('location')], ['my-tags', 1, `${GRAPHS}/my-tags`])
  assert.equal(status.runnable, false, 'it is kept as it is, also while it cannot run')

  const [diagnostic]: Diagnostic[] = status.diagnostics
  assert.deepEqual([diagnostic?.code, diagnostic?.node, diagnostic?.port], ['input.open', 'points', 'detections'])
  applyPatch(spec, diagnostic?.fix as Operation[])
  const changed = await ask('PUT', `${GRAPHS}/${id}`, spec, { 'if-match': '"1"' })

  assert.equal(changed.status, 200)
  assert.deepEqual(changed.json().status, { runnable: true, diagnostics: [], diagnostics_left_out: 0, used_by: [] })
  assert.deepEqual([changed.json().revision, changed.headers.get('etag')], [2, '"2"'])
  assert.deepEqual((await ask('GET', `${GRAPHS}/${id}`)).json(), changed.json())
})

test('what is stored is changed whole, once by each who knows it, and forgotten', async (t) => {
  const { ask, template, fake } = await service(t)
  const graph = await template('apriltag-2d')
  const told: unknown[] = []
  t.after(fake.directory.events.subscribe(({ kind, resource_ref, data }) => told.push({ kind, resource_ref, data })))
  await ask('POST', GRAPHS, { ...graph, id: 'near' })

  const { layout: _, name: __, ...bare } = graph
  assert.equal((await ask('PUT', `${GRAPHS}/near`, { ...bare, expected_revision: 1 })).status, 200)
  assert.deepEqual((await ask('GET', `${GRAPHS}/near`)).json().spec, bare, 'what is left out is gone')
  assertProblem(await ask('PUT', `${GRAPHS}/near`, { ...graph, expected_revision: 1 }), 'revision.stale')
  assertProblem(await ask('POST', GRAPHS, { ...graph, id: 'near' }), 'document.exists')
  assertProblem(await ask('PUT', `${GRAPHS}/far`, graph), 'graph.not_found')
  assert.equal((await ask('GET', GRAPHS)).json().items.length, 1, 'a change creates nothing')
  assert.equal((await ask('DELETE', `${GRAPHS}/near`)).status, 204)
  for (const method of ['GET', 'DELETE']) assertProblem(await ask(method, `${GRAPHS}/near`), 'graph.not_found')
  const change = { kind: 'graph_changed', resource_ref: { graph_id: 'near' } }
  assert.deepEqual(
    told.filter((each) => (each as { kind: string }).kind === 'graph_changed'),
    [false, false, true].map((deleted) => ({ ...change, data: { deleted } })),
  )
})

test('a file of a pipeline is taken by another device as it is', async (t) => {
  const { ask, template } = await service(t)
  const graph = await template('apriltag-3d')
  await ask('POST', GRAPHS, { ...graph, id: 'mine', nodes: [...graph.nodes, { id: 'odd', type: 'of-next-year' }] })

  const file = await ask('GET', `${GRAPHS}/mine/export`)
  const other = await service(t)
  const taken = await other.ask('POST', GRAPHS, file.body)

  assert.match(file.headers.get('content-disposition') ?? '', /attachment; filename="mine\.pipeline\.json"/)
  assert.equal(taken.status, 201)
  assert.deepEqual(taken.json(), (await ask('GET', `${GRAPHS}/mine`)).json(), 'nodes of unknown types too')
  assertProblem(await ask('GET', `${GRAPHS}/nobody/export`), 'graph.not_found')
})

test('a graph that cannot run is an answer; a document that is none is refused', async (t) => {
  const { ask, template } = await service(t)
  const graph = await template('apriltag-2d')
  const edges = [...graph.edges, { from: 'tags.detections', to: 'tags.detections' }]

  const broken = await ask('POST', VALIDATE, { graph: { ...graph, edges } })

  assert.equal(broken.status, 200)
  assert.deepEqual([broken.json().runnable, broken.json().plan], [false, null])
  assert.equal(broken.json().diagnostics[0].code, 'edge.port_unknown')
  const many = Array.from({ length: 10_000 }, (_, n) => ({ id: `n${n}`, type: 'gray' }))
  for (const body of [{}, { graph: 7 }, { graph: { ...graph, nodes: many } }, { graph, stream_id: 'nobody' }])
    assertProblem(await ask('POST', VALIDATE, body), 'body.invalid')
  assertProblem(await ask('POST', GRAPHS, { ...graph, nodes: many }), 'body.invalid')
  assertProblem(await ask('POST', VALIDATE, '{"graph":'), 'body.malformed')
  assertProblem(await ask('POST', VALIDATE, `{"graph": "${'x'.repeat(2_000_000)}"}`), 'body.too_large')
})

test('the plan says what would run, how much it takes, and what the stream leaves for it', async (t) => {
  const { ask, fake } = await service(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 50 } })
  const graph = tagsAs('tags')
  const edges = [{ from: 'source.colour', to: 'tags.image' }]

  const { runnable, plan } = (await ask('POST', VALIDATE, { graph: { ...graph, edges }, stream_id: 'front' })).json()

  assert.equal(runnable, true)
  assert.deepEqual(
    plan.steps.map(({ id, nodes, inserted }: Record<string, unknown>) => [id, nodes, inserted]),
    [
      ['source', ['source'], false],
      ['source.colour>gray', [], true],
      ['tags', ['tags'], false],
    ],
  )
  assert.deepEqual([plan.budget_us, plan.picture], [20_000, { width_px: 640, height_px: 480, known: true }])
  assert.equal(
    plan.cost_us,
    plan.steps.reduce((sum: number, { cost_us }: { cost_us: number }) => sum + cost_us, 0),
  )
  const { plan: anywhere } = (await ask('POST', VALIDATE, { graph })).json()
  assert.deepEqual([anywhere.budget_us, anywhere.picture.known], [null, false])
})

test('what only an engine knows of a stream is asked of it, and cannot be asked of one that has failed', async (t) => {
  const lost = { code: 'engine.failed', detail: 'it does not open' } as const
  const clock = new FakeClock()
  const openFault = ({ source }: EngineTask) => (source.backend === 'images' ? lost : undefined)
  const parts = {
    policy: { ...defaultPolicy, maxRestarts: 0 },
    clock,
    engines: fakeEngines({ nowUs: clock.monotonicUs, openFault }),
  }
  const { ask, fake, template } = await service(t, parts)
  const graph = await template('apriltag-3d')
  await fake.addStream({ id: 'side', source: { backend: 'file', path: '/pictures/match.mp4' } })
  await fake.put({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  await until('the engine', () => parts.engines.alive.find(({ name }) => name.includes('front')))
  parts.engines.alive.find(({ name }) => name.includes('front'))?.crash()
  await fake.state('front', 'failed')

  const { plan, diagnostics } = (await ask('POST', VALIDATE, { graph, stream_id: 'side' })).json()

  assert.equal(plan.picture.known, true)
  assert.deepEqual(
    diagnostics.map(({ code, node }: Diagnostic) => [code, node]),
    [['calibration.missing', 'points']],
  )
  assertProblem(await ask('POST', VALIDATE, { graph, stream_id: 'front' }), 'stream.failed')
})

test('the registry has every type with its ports, parameters and cost, and says what is available', async (t) => {
  const { ask } = await service(t)

  const { node_types, limits, diagnostics } = (await ask('GET', '/v1/pipelines/registry')).json()

  assert.deepEqual(
    node_types.map(({ type }: { type: string }) => type),
    Object.keys(nodeTypes),
  )
  const tags = node_types.find(({ type }: { type: string }) => type === 'apriltag')
  assert.deepEqual([tags.category, tags.availability], ['tags', { available: true, reason: null }])
  assert.deepEqual(tags.inputs, [{ name: 'image', kind: 'image', format: 'gray', optional: false }])
  assert.equal(tags.params.properties.decimate.default, 1)
  assert.deepEqual(
    [tags.params.properties.decimate.title, tags.params.properties.decimate['x-step']],
    ['Decimate', 0.5],
  )
  assert.ok(limits.nodes >= 256)
  assert.ok(diagnostics.some(({ code }: { code: string }) => code === 'edge.circle'))
})
