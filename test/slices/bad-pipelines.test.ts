// Pipelines that make no sense, sent to the real service in each of the three ways there are: each is answered with a
// diagnostic or a refusal, and the stream goes on with the one that it had.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { Diagnostic } from '../../machines/pipeline/diagnostic.ts'
import type { GraphDraft } from '../../machines/pipeline/graph.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

const source = { id: 'source', type: 'source' }
const tags = { id: 'tags', type: 'apriltag' }
const good: GraphDraft = {
  nodes: [source, tags],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}

/** Another edge: `a.x > b.y`. */
const edged = (edges: readonly string[], nodes: GraphDraft['nodes'] = []): GraphDraft => ({
  ...good,
  nodes: [...good.nodes, ...nodes],
  edges: [
    ...good.edges,
    ...edges.map((edge) => {
      const [from = '', to = ''] = edge.split(' > ')
      return { from, to }
    }),
  ],
})

/** As text: what no number of JavaScript can say. */
const withParams = (params: string): string =>
  JSON.stringify(good).replace('"type":"apriltag"', `"type":"apriltag","params":${params}`)

const detectors = Array.from({ length: 8 }, (_, n) => ({
  id: `more-${n}`,
  type: 'apriltag',
  params: { decimate: 1 + n / 4 },
}))
const blurs = ['one', 'two', 'three'].map((id) => ({ id, type: 'blur' }))
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** What the planner has to say of each, as the first thing. */
const WRONG: readonly (readonly [what: string, graph: GraphDraft | string, code: Diagnostic['code']])[] = [
  [
    'a circle',
    edged(['one.image > two.image', 'two.image > three.image', 'three.image > one.image'], blurs),
    'edge.circle',
  ],
  ['an edge from a node to itself', edged(['one.image > one.image'], blurs.slice(0, 1)), 'edge.to_itself'],
  ['an output that does not exist', edged(['source.tea > one.image'], blurs.slice(0, 1)), 'edge.port_unknown'],
  ['an input that does not exist', edged(['source.image > tags.tea']), 'edge.port_unknown'],
  ['a node that does not exist', edged(['nobody.image > one.image'], blurs.slice(0, 1)), 'edge.node_unknown'],
  ['tags where a picture is wanted', edged(['tags.detections > one.image'], blurs.slice(0, 1)), 'edge.other_kind'],
  [
    'grey where colour is wanted',
    edged(['source.image > green.image'], [{ id: 'green', type: 'hsv-threshold' }]),
    'edge.other_format',
  ],
  ['two edges to one input', edged(['source.image > tags.image']), 'edge.input_taken'],
  ['two nodes of one id', edged([], [tags]), 'node.id_taken'],
  ['two sources', edged([], [{ id: 'again', type: 'source' }]), 'source.second'],
  ['a type that nobody knows', edged([], [{ id: 'odd', type: 'constructor' }]), 'node.type_unknown'],
  [
    'nine detectors',
    edged(
      detectors.map(({ id }) => `source.image > ${id}.image`),
      detectors,
    ),
    'node.too_many',
  ],
  ['a number out of range', withParams('{"threads": 5}'), 'param.invalid'],
  ['a number without end', withParams('{"blur": 1e999}'), 'param.invalid'],
  ['a number that is a text', withParams('{"blur": "NaN"}'), 'param.invalid'],
  ['a parameter that nobody knows', withParams('{"toString": {"blur": 1}}'), 'param.invalid'],
  ['a parameter that is twenty lists deep', withParams(`{"blur": ${deep(20)}}`), 'param.invalid'],
]

const many: GraphDraft = {
  ...good,
  nodes: Array.from({ length: 10_000 }, (_, n) => ({ id: `n${n}`, type: 'blur' })),
}

/** What is no graph at all. */
const NONE: readonly (readonly [what: string, graph: string, status: number, code: string])[] = [
  ['10,000 nodes', JSON.stringify(many), 400, 'body.invalid'],
  ['a number that is none', withParams('{"blur": NaN}'), 400, 'body.malformed'],
  ['what lies too deep to be read', withParams(`{"blur": ${deep(100_000)}}`), 400, 'body.malformed'],
  ['a name that would change all objects', withParams('{"__proto__": {"blur": 1}}'), 400, 'body.malformed'],
]

const PATHS = ['/v1/pipelines/validate', '/v1/pipelines/graphs', '/v1/streams/front/pipeline/graph'] as const
const [VALIDATE, GRAPHS, SWITCH] = PATHS

interface Answer {
  readonly status: number
  readonly body: {
    readonly code?: string
    readonly diagnostics?: readonly Diagnostic[]
    readonly status?: { readonly diagnostics: readonly Diagnostic[] }
  }
}

/** The three ways: the graph as the body, or in it. */
const ways = ({ url }: Daemon) => {
  const post = async (path: string, body: string): Promise<Answer> => {
    const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : {} }
  }
  /** Only says how much there is, and begins with it: whoever is refused need not send the rest. */
  const announce = async (path: string, bytes: number): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes }
    const asked = request(url + path, { method: 'POST', headers, agent: false })
    asked.write(`{"graph":${JSON.stringify(good).slice(0, -1)}`)
    const [response] = (await arrival('an answer', once(asked, 'response'))) as [IncomingMessage]
    const body = await json(response)
    asked.destroy()
    return { status: response.statusCode ?? 0, body: body as Answer['body'] }
  }
  return {
    announced: () => Promise.all(PATHS.map((path) => announce(path, 50_000_000))),
    validated: (graph: string) => post(VALIDATE, `{"graph":${graph},"stream_id":"front"}`),
    stored: (graph: string) => post(GRAPHS, graph),
    switched: (graph: string) => post(SWITCH, `{"graph":${graph}}`),
  }
}

test('no pipeline that makes no sense takes the place of one that does', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 30 } })
  const { validated, stored, switched, announced } = ways(daemon)
  const before = await daemon.metrics('front')
  const { spec, revision } = await daemon.get<StreamView>('/v1/streams/front')

  for (const [what, graph, code] of WRONG)
    await t.test(what, async () => {
      const text = typeof graph === 'string' ? graph : JSON.stringify(graph)
      const answers = [await validated(text), await stored(text), await switched(text)] as const

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 201, 400],
      )
      assert.ok(answers[0].body.diagnostics?.some((each) => each.code === code && each.severity === 'error'))
      assert.deepEqual(answers[1].body.status?.diagnostics, answers[0].body.diagnostics, 'a draft is kept as it is')
      assert.equal(answers[2].body.code, 'body.invalid')
    })

  for (const [what, graph, status, code] of NONE)
    await t.test(what, async () => {
      for (const way of [validated, stored, switched]) {
        const answer = await way(graph)
        assert.deepEqual([answer.status, answer.body.code], [status, code])
      }
    })

  await t.test('50 MB', async () => {
    for (const { status, body } of await announced()) assert.deepEqual([status, body.code], [413, 'body.too_large'])
  })

  const after = await daemon.metrics('front')
  const now = await daemon.get<StreamView>('/v1/streams/front')
  assert.deepEqual([now.spec, now.revision, now.status.state], [spec, revision, 'live'])
  assert.deepEqual([after.engine_pid, after.restarts], [before.engine_pid, before.restarts])
  await until('pictures', async () => (await daemon.metrics('front')).frames > after.frames)
})
