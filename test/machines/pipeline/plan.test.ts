// Graphs planned and refused: named cases first, then properties over many generated graphs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { defaultGraph, GraphDocument } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { randomGraph, seeded } from '../../support/engine/random-graphs.ts'

const planned = (graph: GraphDocument) => {
  const result = planGraph(graph)
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.errors))
  return result
}

const refused = (graph: GraphDocument) => {
  const result = planGraph(graph)
  assert.ok(!result.ok, 'the graph was planned')
  return result.errors
}

const tagsGraph = (change: Partial<GraphDocument> = {}): GraphDocument => ({
  nodes: [
    { id: 'cam', type: 'source' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [{ from: 'cam.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
  ...change,
})

const withTagParams = (params: Record<string, unknown>) =>
  tagsGraph({
    nodes: [
      { id: 'cam', type: 'source' },
      { id: 'tags', type: 'apriltag', params },
    ],
  })

test('the default graph is planned from the source to the field pose', () => {
  const { plan, unused } = planned(defaultGraph)

  assert.deepEqual(
    plan.steps.map(({ id, inputs, outputs }) => [id, inputs, outputs]),
    [
      ['source', [], [0, -1]], // nobody asks for colour
      ['gray', [0], [1]],
      ['tags', [1], [2]],
      ['points', [2], [3]],
      ['tag_poses', [3], [4]],
      ['field_pose', [3, 4], [5]],
    ],
  )
  assert.deepEqual(plan.outputs, [
    { port: 'tags', slot: 2, kind: 'detections' },
    { port: 'tag_poses', slot: 4, kind: 'tag_poses' },
    { port: 'pose', slot: 5, kind: 'field_pose' },
  ])
  assert.equal(plan.slots, 6)
  assert.deepEqual(unused, [])
})

test('parameters are filled in, in the plan and in the canonical graph', () => {
  const { plan, graph } = planned(withTagParams({ decimate: 2, families: ['tag16h5'], min_margin: 20 }))

  const params = {
    families: ['tag16h5'],
    engine: 'vedette',
    mode: 'full',
    decimate: 2,
    blur: 0,
    threads: 1,
    refine: true,
    min_margin: 20,
    max_hamming: null,
    ids: [],
  }
  assert.deepEqual(plan.steps[1]?.params, { ...params, min_margin: [20], max_hamming: [0] })
  assert.deepEqual(graph.nodes[1]?.params, params)
})

test('a default that differs by family stays open in the graph, and follows the families in the plan', () => {
  const asked = planned(withTagParams({}))
  const changed = planned(withTagParams({ ...asked.graph.nodes[1]?.params, families: ['tag16h5', 'tag36h11'] }))

  assert.deepEqual(asked.plan.steps[1]?.params.max_hamming, [1])
  assert.deepEqual(changed.plan.steps[1]?.params.max_hamming, [0, 1])
  assert.equal(changed.graph.nodes[1]?.params?.max_hamming, null)
})

test('the defaults of each family stand in the schema of the parameter, for people and for clients', () => {
  const { max_hamming: schema, min_margin: margins } = (nodeTypes.apriltag?.params.properties ?? {}) as Record<
    string,
    Record<string, unknown> | undefined
  >

  const defaults = schema?.['x-default-by-family'] as Record<string, number> | undefined
  assert.deepEqual([defaults?.tag36h11, defaults?.tag16h5], [1, 0])
  assert.match(String(schema?.description), /1 for tag36h11, tag25h9, [^.]*, 0 for tag16h5, /)
  assert.match(String(margins?.description), / null: 2\.$/)
})

test('an optional input without an edge is -1', () => {
  const graph = { ...defaultGraph, edges: defaultGraph.edges.filter(({ to }) => to !== 'field_pose.tag_poses') }

  assert.deepEqual(planned(graph).plan.steps.at(-1)?.inputs, [3, -1])
})

test('nodes that lead to no output stay in the graph, are named, and are not planned', () => {
  const { plan, graph, unused } = planned({ ...defaultGraph, outputs: [{ port: 'tags', from: 'tags.detections' }] })

  assert.deepEqual(
    plan.steps.map(({ id }) => id),
    ['source', 'gray', 'tags'],
  )
  assert.deepEqual(unused, ['points', 'tag_poses', 'field_pose'])
  assert.equal(graph.nodes.length, 6)
})

const refusals: readonly (readonly [string, GraphDocument, string, RegExp])[] = [
  [
    'an unknown type',
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'no-such-node' },
      ],
    }),
    '/nodes/1/type',
    /is "no-such-node", which is no node type; there are source, gray/,
  ],
  [
    'a type named like a method of objects',
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'constructor' },
      ],
    }),
    '/nodes/1/type',
    /no node type/,
  ],
  [
    'an id used twice',
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'apriltag' },
        { id: 'tags', type: 'gray' },
      ],
    }),
    '/nodes/2/id',
    /ids are unique/,
  ],
  [
    'no source',
    tagsGraph({ nodes: [{ id: 'tags', type: 'apriltag' }], edges: [] }),
    '/nodes',
    /no node of type source/,
  ],
  [
    'two sources',
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'apriltag' },
        { id: 'cam2', type: 'source' },
      ],
    }),
    '/nodes/2/type',
    /second source/,
  ],
  ['a parameter out of range', withTagParams({ threads: 9 }), '/nodes/1/params/threads', /must be at most 4, not 9/],
  [
    'a parameter of the wrong type',
    withTagParams({ threads: '2' }),
    '/nodes/1/params/threads',
    /must be a whole number, not "2"/,
  ],
  [
    'a parameter that is no finite number',
    withTagParams({ decimate: Number.NaN }),
    '/nodes/1/params/decimate',
    /must be a number, not NaN/,
  ],
  [
    'a null where a number belongs',
    withTagParams({ decimate: null }),
    '/nodes/1/params/decimate',
    /must be a number, not null/,
  ],
  ['an unknown parameter', withTagParams({ decimat: 2 }), '/nodes/1/params/decimat', /not known/],
  [
    'a parameter named like the prototype',
    withTagParams(JSON.parse('{"__proto__": 2}')),
    '/nodes/1/params/__proto__',
    /not known/,
  ],
  [
    'an unknown tag family',
    withTagParams({ families: ['tag36h11', 'tag9'] }),
    '/nodes/1/params/families/1',
    /must be "tag36h11" or .*, not "tag9"/,
  ],
  [
    'a missing parameter without a default',
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'apriltag' },
        { id: 'small', type: 'resize', params: { width_px: 640 } },
      ],
      edges: [
        { from: 'cam.image', to: 'tags.image' },
        { from: 'cam.image', to: 'small.image' },
      ],
    }),
    '/nodes/2/params/height_px',
    /is missing/,
  ],
  [
    'an edge from an unknown node',
    tagsGraph({ edges: [{ from: 'eye.image', to: 'tags.image' }] }),
    '/edges/0/from',
    /is eye\.image, which names no node; there are cam, tags/,
  ],
  [
    'an edge from an unknown port',
    tagsGraph({ edges: [{ from: 'cam.picture', to: 'tags.image' }] }),
    '/edges/0/from',
    /source has no output picture; it has image/,
  ],
  [
    'an edge out of an input',
    tagsGraph({ edges: [{ from: 'tags.image', to: 'tags.image' }] }),
    '/edges/0/from',
    /apriltag has no output image; it has detections/,
  ],
  [
    'an edge into the source',
    tagsGraph({ edges: [{ from: 'cam.image', to: 'cam.image' }] }),
    '/edges/0/to',
    /source has no input image; it has none/,
  ],
  [
    'ports of different kinds',
    {
      ...defaultGraph,
      edges: [
        ...defaultGraph.edges.slice(0, 2),
        { from: 'gray.image', to: 'points.detections' },
        ...defaultGraph.edges.slice(3),
      ],
    },
    '/edges/2/to',
    /takes detections, but gray\.image gives image/,
  ],
  [
    'two edges into one input',
    tagsGraph({
      edges: [
        { from: 'cam.image', to: 'tags.image' },
        { from: 'cam.image', to: 'tags.image' },
      ],
    }),
    '/edges/1/to',
    /has an edge already/,
  ],
  [
    'a required input without an edge',
    tagsGraph({ edges: [] }),
    '/nodes/1',
    /has an input image that is not connected; lead an edge to it from an output of image/,
  ],
  [
    'one detector more than memory is there for',
    {
      ...defaultGraph,
      nodes: [...defaultGraph.nodes, ...Array.from({ length: 8 }, (_, n) => ({ id: `more${n}`, type: 'apriltag' }))],
      edges: [
        ...defaultGraph.edges,
        ...Array.from({ length: 8 }, (_, n) => ({ from: 'gray.image', to: `more${n}.image` })),
      ],
    },
    '/nodes/13/type',
    /one apriltag too many; a graph has at most 8/,
  ],
  [
    'one node more that a worker runs than an engine has workers',
    {
      ...defaultGraph,
      nodes: [...defaultGraph.nodes, ...Array.from({ length: 5 }, (_, n) => ({ id: `model${n}`, type: 'classifier' }))],
      edges: [
        ...defaultGraph.edges,
        ...Array.from({ length: 5 }, (_, n) => ({ from: 'gray.image', to: `model${n}.image` })),
      ],
    },
    '/nodes/10/type',
    /one classifier too many; a graph has at most 4 nodes of script, object-detector, classifier/,
  ],
  [
    'scaled pictures that are too large together',
    {
      ...defaultGraph,
      nodes: [
        ...defaultGraph.nodes,
        { id: 'large', type: 'resize', params: { width_px: 8000, height_px: 8000 } },
        { id: 'small', type: 'resize', params: { width_px: 16, height_px: 16 } },
      ],
      edges: [
        ...defaultGraph.edges,
        { from: 'gray.image', to: 'large.image' },
        { from: 'gray.image', to: 'small.image' },
      ],
    },
    '/nodes/7/params',
    /larger than 64 megapixels/,
  ],
  [
    'more bits to correct than there are tables for',
    withTagParams({ max_hamming: 3 }),
    '/nodes/1/params/max_hamming',
    /at most 2/,
  ],
  [
    'an output of an unknown port',
    tagsGraph({ outputs: [{ port: 'tags', from: 'tags.poses' }] }),
    '/outputs/0/from',
    /has no output poses/,
  ],
  [
    'two outputs of one name',
    tagsGraph({
      outputs: [
        { port: 'tags', from: 'tags.detections' },
        { port: 'tags', from: 'tags.detections' },
      ],
    }),
    '/outputs/1/port',
    /names are unique/,
  ],
  [
    'an output named as the truth of the synthetic camera',
    tagsGraph({ outputs: [{ port: 'truth', from: 'tags.detections' }] }),
    '/outputs/0/port',
    /choose another/,
  ],
]
for (const [what, graph, pointer, message] of refusals) {
  test(`${what} is refused where it is`, () => {
    const error = refused(graph).find((each) => each.pointer === pointer)

    assert.ok(error, JSON.stringify(refused(graph)))
    assert.match(error.message, message)
  })
}

test('an output may be a picture', () => {
  const outputs = [
    { port: 'tags', from: 'tags.detections' },
    { port: 'seen', from: 'cam.colour' },
  ]

  const { plan, unused } = planned(tagsGraph({ outputs }))

  assert.deepEqual(plan.steps[0]?.outputs, [0, 1])
  assert.deepEqual(plan.outputs[1], { port: 'seen', slot: 1, kind: 'image' })
  assert.deepEqual(unused, [])
})

test('a circle is refused and shown', () => {
  const gray = (id: string) => ({ id, type: 'gray' })
  const graph: GraphDocument = {
    nodes: [{ id: 'behind', type: 'apriltag' }, { id: 'cam', type: 'source' }, gray('a'), gray('b'), gray('c')],
    edges: [
      { from: 'a.image', to: 'b.image' },
      { from: 'b.image', to: 'c.image' },
      { from: 'c.image', to: 'a.image' },
      { from: 'b.image', to: 'behind.image' },
    ],
    outputs: [{ port: 'tags', from: 'behind.detections' }],
  }

  const [error, ...others] = refused(graph)

  assert.deepEqual(others, [])
  assert.match(
    error?.message ?? '',
    /circle: (a > b > c > a|b > c > a > b|c > a > b > c); take one of these edges away$/,
  )
  assert.match(error?.pointer ?? '', /^\/nodes\/[234]$/)
})

test('a node that feeds itself is a circle', () => {
  const graph = tagsGraph({
    nodes: [
      { id: 'cam', type: 'source' },
      { id: 'tags', type: 'apriltag' },
      { id: 'a', type: 'gray' },
    ],
    edges: [
      { from: 'cam.image', to: 'tags.image' },
      { from: 'a.image', to: 'a.image' },
    ],
  })

  assert.match(refused(graph)[0]?.message ?? '', /a > a/)
})

test('everything that is wrong is said at once', () => {
  const errors = refused(
    tagsGraph({
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'apriltag', params: { threads: 0, blur: -1 } },
      ],
      edges: [],
    }),
  )

  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['/nodes/1/params/blur', '/nodes/1/params/threads', '/nodes/1'],
  )
})

test('any plan runs from top to bottom: slots are written once, before they are read', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const graph = randomGraph(seeded(seed))
    if (graph.outputs[0]?.from === 'n0.image') continue // nothing but images came about
    assert.ok(Check(GraphDocument, graph))

    const { plan, graph: canonical, unused, inserted, shared } = planned(graph)

    const written = new Set<number>()
    for (const [index, step] of plan.steps.entries()) {
      const is = nodeTypes[step.type]
      assert.equal(step.type === 'source', index === 0)
      assert.equal(step.inputs.length, is?.inputs.length)
      for (const [i, slot] of step.inputs.entries())
        assert.ok(written.has(slot) || (slot === -1 && is?.inputs[i]?.optional))
      const made = step.outputs.filter((slot, i) => !(slot === -1 && is?.outputs[i]?.optional))
      for (const slot of made) assert.ok(slot >= 0 && !written.has(slot) && slot < plan.slots)
      for (const slot of made) written.add(slot)
      assert.deepEqual(Object.keys(step.params), Object.keys(is?.params.properties ?? {}))
    }
    assert.equal(written.size, plan.slots)
    for (const { slot } of plan.outputs) assert.ok(written.has(slot))
    assert.equal(plan.steps.length - inserted.length + shared.length + unused.length, graph.nodes.length)
    const again = planned(structuredClone(canonical))
    assert.deepEqual(
      [again.plan, again.graph, again.unused],
      [plan, canonical, unused],
      'planning what was planned changes nothing',
    )
  }
})

test('a graph is planned once, also when it comes back with every parameter filled in', () => {
  const graph = structuredClone(defaultGraph)
  const planned = planGraph(graph)
  assert.ok(planned.ok)

  assert.equal(planGraph(graph), planned)
  assert.equal(planGraph(planned.graph), planned)
})
