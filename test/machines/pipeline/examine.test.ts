// What the planner says of graphs beyond what is wrong with them, and what it makes of pictures in colour and of nodes
// that do the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch, type Operation } from 'rfc6902'
import { ANYWHERE, examineGraph, MAX_DIAGNOSTICS, type PlanContext } from '../../../machines/pipeline/examine.ts'
import { defaultGraph, type GraphDraft, MAX_NODES, MAX_SLOTS } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { runnable } from '../../support/engine/graphs.ts'

/** A graph of nodes `id: type`, edges `a.x > b.y` and outputs. */
const graphOf = (nodes: Record<string, string | [string, object]>, edges: string[], outputs: string[]): GraphDraft => ({
  nodes: Object.entries(nodes).map(([id, is]) =>
    typeof is === 'string' ? { id, type: is } : { id, type: is[0], params: { ...is[1] } },
  ),
  edges: edges.map((edge) => {
    const [from = '', to = ''] = edge.split(' > ')
    return { from, to }
  }),
  outputs: outputs.map((from, n) => ({ port: `out${n}`, from })),
})

const examine = (graph: GraphDraft, context: Partial<PlanContext> = {}) =>
  examineGraph(graph, { ...ANYWHERE, ...context })

const only = (graph: GraphDraft, code: string, context: Partial<PlanContext> = {}) => {
  const found = examine(graph, context).diagnostics.filter((each) => each.code === code)
  assert.equal(found.length, 1, JSON.stringify(examine(graph, context).diagnostics))
  return found[0] as (typeof found)[number]
}

const repaired = (graph: GraphDraft, fix: unknown): GraphDraft => {
  const copy = structuredClone(graph)
  assert.deepEqual(
    applyPatch(copy, fix as Operation[]).filter((problem) => problem),
    [],
  )
  return copy
}

const SMALL = { width_px: 320, height_px: 200 }

test('where a port of grey is given colour, a step that makes grey is inserted, once for all that need it', () => {
  const graph = graphOf(
    { cam: 'source', tags: 'apriltag', more: ['apriltag', { decimate: 2 }] },
    ['cam.colour > tags.image', 'cam.colour > more.image'],
    ['tags.detections', 'more.detections'],
  )

  const { plan, inserted } = runnable(graph)

  assert.deepEqual(
    plan.steps.map(({ id, type, inputs }) => [id, type, inputs]),
    [
      ['cam', 'source', []],
      ['cam.colour>gray', 'gray', [1]],
      ['tags', 'apriltag', [2]],
      ['more', 'apriltag', [2]],
    ],
  )
  assert.deepEqual(
    inserted.map(({ id }) => id),
    ['cam.colour>gray'],
  )
  const { severity, node, port, message } = only(graph, 'edge.converted')
  assert.deepEqual([severity, node, port], ['info', 'tags', 'image'])
  assert.match(message, /tags\.image, which takes grey images, and cam\.colour gives colour/)
})

test('a node of the user that makes grey of the same colour serves for all, wherever it stands in the document', () => {
  const graph = graphOf(
    { cam: 'source', tags: 'apriltag', mine: 'gray', more: ['apriltag', { decimate: 2 }] },
    ['cam.colour > tags.image', 'cam.colour > mine.image', 'mine.image > more.image'],
    ['tags.detections', 'more.detections'],
  )

  const { plan, inserted, shared } = runnable(graph)

  assert.deepEqual(
    plan.steps.map(({ id }) => id),
    ['cam', 'mine', 'tags', 'more'],
  )
  assert.deepEqual([inserted, shared], [[], []])
})

test('colour that was cut and scaled is made grey where grey is wanted, and masks are grey already', () => {
  const graph = graphOf(
    { cam: 'source', cut: ['crop', SMALL], small: ['resize', SMALL], tags: 'apriltag' },
    ['cam.colour > cut.image', 'cut.image > small.image', 'small.image > tags.image'],
    ['tags.detections'],
  )

  assert.deepEqual(
    runnable(graph).plan.steps.map(({ id }) => id),
    ['cam', 'cut', 'small', 'small.image>gray', 'tags'],
  )
})

test('nodes that do the same with the same are one step, and so is all that follows from them alike', () => {
  const graph = graphOf(
    {
      cam: 'source',
      a: ['crop', SMALL],
      b: ['crop', SMALL],
      one: 'apriltag',
      two: 'apriltag',
      more: ['apriltag', { decimate: 2 }],
    },
    [
      'cam.image > a.image',
      'cam.image > b.image',
      'a.image > one.image',
      'b.image > two.image',
      'b.image > more.image',
    ],
    ['one.detections', 'two.detections', 'more.detections'],
  )

  const { plan, shared } = runnable(graph)

  assert.deepEqual(
    plan.steps.map(({ id }) => id),
    ['cam', 'a', 'one', 'more'],
  )
  assert.deepEqual(
    shared.map(({ node, step }) => [node.id, step]),
    [
      ['b', 'a'],
      ['two', 'one'],
    ],
  )
  assert.deepEqual(
    plan.outputs.map(({ slot }) => slot),
    [2, 2, 3],
  )
  const { diagnostics } = examine(graph)
  assert.deepEqual(
    diagnostics.map(({ code, node }) => [code, node]),
    [
      ['node.shared', 'b'],
      ['node.shared', 'two'],
    ],
  )
})

test('a node that leads nowhere is named, and the fix takes it, what lies behind it and their places away', () => {
  const graph: GraphDraft = {
    ...graphOf(
      { cam: 'source', tags: 'apriltag', idle: ['crop', SMALL], idler: ['resize', SMALL] },
      ['cam.image > tags.image', 'cam.image > idle.image', 'idle.image > idler.image'],
      ['tags.detections'],
    ),
    layout: { cam: { x: 0, y: 0 }, idle: { x: 1, y: 0 } },
  }
  const [first, second] = examine(graph).diagnostics

  assert.deepEqual([first?.code, first?.severity, first?.node], ['node.unused', 'warning', 'idle'])
  assert.deepEqual([second?.code, second?.node], ['node.unused', 'idler'])
  const after = repaired(graph, first?.fix)
  assert.deepEqual(examine(after).diagnostics, [])
  assert.deepEqual(
    after.nodes.map(({ id }) => id),
    ['cam', 'tags'],
  )
  assert.deepEqual(after.layout, { cam: { x: 0, y: 0 } })
})

test('fixes of parameters: the nearest value, the default, or none of it', () => {
  const cases: readonly [params: object, expected: object][] = [
    [{ threads: 9 }, { threads: 4 }],
    [{ threads: -3 }, { threads: 1 }],
    [{ decimate: 0.5 }, { decimate: 1 }],
    [{ threads: 2.4 }, { threads: 2 }],
    [{ threads: '2' }, { threads: 1 }],
    [{ blur: Number.NaN }, { blur: 0 }],
    [{ max_hamming: 7 }, { max_hamming: 2 }],
    [{ families: ['tag9'] }, { families: ['tag36h11'] }],
    [{ 'odd/na~me': 1 }, {}],
  ]
  for (const [params, expected] of cases) {
    const graph = graphOf(
      { cam: 'source', tags: ['apriltag', params] },
      ['cam.image > tags.image'],
      ['tags.detections'],
    )
    const { fix, node } = only(graph, 'param.invalid')
    assert.equal(node, 'tags')
    assert.deepEqual(repaired(graph, fix).nodes[1]?.params, expected)
  }
})

test('an open input is connected to the only port that fits, and to none where there is a choice', () => {
  const graph = graphOf(
    { cam: 'source', tags: 'apriltag', points: 'undistort-points' },
    ['cam.image > tags.image'],
    ['points.points'],
  )
  const { fix, node, port } = only(graph, 'input.open')
  assert.deepEqual([node, port], ['points', 'detections'])
  assert.deepEqual(fix, [{ op: 'add', path: '/edges/-', value: { from: 'tags.detections', to: 'points.detections' } }])

  const more = { ...graph, nodes: [...graph.nodes, { id: 'others', type: 'apriltag' }] }
  more.edges = [...more.edges, { from: 'cam.image', to: 'others.image' }]
  assert.equal(only(more, 'input.open').fix, null)
})

test('an open input is never fed by what lies behind it', () => {
  const graph = graphOf(
    { cam: 'source', small: ['resize', SMALL], tags: 'apriltag' },
    ['small.image > tags.image'],
    ['tags.detections'],
  )

  const { fix } = only(graph, 'input.open')

  assert.equal(fix, null) // the source gives grey and colour, and either would do
})

test('a misspelt type keeps its node, and is known by its letters', () => {
  const graph = graphOf({ cam: 'source', tags: 'AprilTag' }, ['cam.image > tags.image'], ['tags.detections'])

  const { fix, message } = only(graph, 'node.type_unknown')

  assert.match(message, /^the type of tags is "AprilTag", which is no node type/)
  assert.equal(examine(graph).diagnostics.length, 1, 'what hangs on it is not wrong as well')
  assert.equal(examine(repaired(graph, fix)).runnable, true)
})

test('a second source is the first one', () => {
  const graph = graphOf(
    { cam: 'source', again: 'source', tags: 'apriltag' },
    ['again.image > tags.image'],
    ['tags.detections'],
  )

  const after = repaired(graph, only(graph, 'source.second').fix)

  assert.deepEqual(after.edges, [{ from: 'cam.image', to: 'tags.image' }])
  assert.deepEqual(examine(after).diagnostics, [])
})

test('a camera without intrinsics is told of, by node, and only where they are needed', () => {
  const codes = (graph: GraphDraft, intrinsics: boolean | null) =>
    examine(graph, { intrinsics }).diagnostics.map(({ code, node, severity }) => [code, node, severity])

  assert.deepEqual(codes(defaultGraph, false), [['calibration.missing', 'points', 'warning']])
  assert.deepEqual(codes(defaultGraph, true), [])
  assert.deepEqual(codes(defaultGraph, null), [])
  const tagsOnly = graphOf({ cam: 'source', tags: 'apriltag' }, ['cam.image > tags.image'], ['tags.detections'])
  assert.deepEqual(codes(tagsOnly, false), [])
})

test('a graph that takes longer than a frame is warned of, by the sizes of its pictures', () => {
  const full = graphOf({ cam: 'source', tags: 'apriltag' }, ['cam.image > tags.image'], ['tags.detections'])
  const small = graphOf(
    { cam: 'source', small: ['resize', SMALL], tags: 'apriltag' },
    ['cam.image > small.image', 'small.image > tags.image'],
    ['tags.detections'],
  )
  const context = { picture: { width_px: 1280, height_px: 800 }, fps: 90 }

  const { node, message } = only(full, 'cost.over_budget', context)

  assert.equal(node, 'tags')
  assert.match(message, /takes about 1\d\.\d ms for each frame, and at 90 fps there are 11\.1 ms/)
  assert.deepEqual(examine(small, context).diagnostics, [])
  assert.deepEqual(examine(full, { ...context, fps: 50 }).diagnostics, [])
  assert.deepEqual(examine(full, { fps: null }).diagnostics, [])
})

test('what only pictures need does not count, as it runs only while somebody watches them', () => {
  const nodes = { cam: 'source', tags: 'apriltag', drawn: 'overlay', soft: 'blur' }
  const graph = graphOf(
    nodes,
    [
      'cam.image > tags.image',
      'cam.image > drawn.image',
      'tags.detections > drawn.detections',
      'drawn.image > soft.image',
    ],
    ['tags.detections', 'soft.image'],
  )

  const { cost } = examine(graph, { picture: SMALL })

  assert.deepEqual(
    cost?.steps.map(({ id, forPictures }) => [id, forPictures]),
    [
      ['cam', false],
      ['tags', false],
      ['drawn', true],
      ['soft', true],
    ],
  )
  const sum = (ids: readonly string[]) =>
    cost?.steps.reduce((sum, { id, us }) => (ids.includes(id) ? sum + us : sum), 0)
  assert.deepEqual([cost?.us, cost?.pictures_us], [sum(['cam', 'tags']), sum(['drawn', 'soft'])])
})

test('a rectangle of no size of its own costs those behind it as much as the picture does', () => {
  const through = (type: string) =>
    graphOf(
      { cam: 'source', first: type, tags: 'apriltag' },
      ['cam.image > first.image', 'first.image > tags.image'],
      ['tags.detections'],
    )
  const tagsBehind = (type: string) => examine(through(type)).cost?.steps.find(({ id }) => id === 'tags')?.us

  assert.equal(tagsBehind('keystone'), tagsBehind('flip'))
})

test('a type that the device does not have is an error, with the reason', () => {
  const unavailable = new Map([['apriltag', 'its library is missing']])

  const { runnable, planned } = examine(defaultGraph, { unavailable })

  assert.deepEqual([runnable, planned], [false, undefined])
  assert.match(only(defaultGraph, 'node.unavailable', { unavailable }).message, /its library is missing$/)
})

test('who has misspelt a name is told which he may have meant, and the fix puts that in its place', () => {
  const tags = { cam: 'source', tags: 'apriltag' }
  const good = graphOf(tags, ['cam.image > tags.image'], ['tags.detections'])
  const misspelt: readonly (readonly [GraphDraft, code: string, RegExp])[] = [
    [
      graphOf({ ...tags, cam: 'sorce' }, ['cam.image > tags.image'], ['tags.detections']),
      'node.type_unknown',
      /"sorce", which is no node type; perhaps source is meant$/,
    ],
    [
      graphOf(tags, ['cm.image > tags.image'], ['tags.detections']),
      'edge.node_unknown',
      /is cm\.image, which names no node; perhaps cam is meant$/,
    ],
    [graphOf(tags, ['cam.imgae > tags.image'], ['tags.detections']), 'edge.port_unknown', /it has image, colour$/],
    [graphOf(tags, ['cam.tags > tags.image'], ['tags.detections']), 'edge.port_unknown', /it has image, colour$/],
    [graphOf(tags, ['cam.image > tgas.image'], ['tags.detections']), 'edge.node_unknown', /perhaps tags is meant$/],
    [graphOf(tags, ['cam.image > tags.image'], ['tag.detections']), 'output.node_unknown', /perhaps tags is meant$/],
  ]

  for (const [graph, code, message] of misspelt) {
    const { message: said, fix } = only(graph, code)
    assert.match(said, message)
    assert.deepEqual(repaired(graph, fix), good, said)
  }
})

test('a parameter that is misspelt is renamed where its value would do, and else removed', () => {
  const withParams = (params: object) =>
    graphOf({ cam: 'source', tags: ['apriltag', params] }, ['cam.image > tags.image'], ['tags.detections'])
  const graph = withParams({ familys: ['tag16h5'], decimat: 'much' })

  const [families, decimate] = examine(graph).diagnostics

  assert.match(families?.message ?? '', /familys of tags is not known here; perhaps families is meant/)
  assert.deepEqual(repaired(graph, families?.fix), withParams({ families: ['tag16h5'], decimat: 'much' }))
  assert.deepEqual(repaired(graph, decimate?.fix), withParams({ familys: ['tag16h5'] }))
})

test('no graph makes more values than an engine keeps', () => {
  // which gives two, and grey of its colour
  const types = Object.entries(nodeTypes).filter(([type]) => type !== 'source')
  const givesTwo = types.filter(([, { outputs }]) => outputs.length > 1)
  const takesGrey = types.filter(([, { inputs }]) => inputs.some(({ format }) => format === 'gray'))

  // Of a picture in colour grey may be made, which is a second value, for a node that gives one; of the others that
  // give two each needs one that gives one. So not all of 511 nodes give two, and with the three of the source there
  // are 1024 at most.
  assert.ok(types.every(([, { outputs }]) => outputs.length <= 2))
  assert.ok(givesTwo.every(([, { outputs }]) => outputs.every(({ kind }) => kind !== 'image')))
  for (const [type, { inputs, outputs }] of takesGrey)
    assert.ok(outputs.length === 1 && outputs[0]?.kind !== 'image' && inputs.length === 1, type)
  for (const [type, { inputs }] of givesTwo) {
    const first = types.find(([, { outputs }]) => outputs.length === 1 && outputs[0]?.kind === inputs[0]?.kind)
    assert.ok(first && inputs[0]?.kind !== 'image', `${type} needs a node that gives one value`)
  }
  assert.equal(MAX_SLOTS, 2 * MAX_NODES)
})

test('a graph may be as large as is allowed and as wrong as can be', () => {
  const chain = Array.from({ length: MAX_NODES - 2 }, (_, n) => ({
    id: `g${n}`,
    type: 'crop',
    params: { ...SMALL, x_px: n },
  }))
  const long: GraphDraft = {
    nodes: [{ id: 'cam', type: 'source' }, ...chain.toReversed(), { id: 'tags', type: 'apriltag' }],
    edges: [
      ...chain.map(({ id }, n) => ({ from: n === 0 ? 'cam.image' : `g${n - 1}.image`, to: `${id}.image` })),
      { from: `g${chain.length - 1}.image`, to: 'tags.image' },
    ],
    outputs: [{ port: 'tags', from: 'tags.detections' }],
  }
  assert.equal(runnable(long).plan.steps.length, MAX_NODES)

  const wrong = {
    ...long,
    edges: [],
    nodes: long.nodes.map(({ id }) => ({ id, type: 'resize', params: { width_px: 0 } })),
  }
  const { diagnostics, left_out, planned } = examine(wrong)
  assert.equal(planned, undefined)
  assert.equal(diagnostics.length, MAX_DIAGNOSTICS)
  assert.ok(left_out > MAX_NODES)
})

test('a graph without anything in it says what it needs first', () => {
  const { diagnostics } = examine({ nodes: [], edges: [], outputs: [] })

  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['source.missing'],
  )
})

const detectors = (threads: readonly number[], params: object = {}): GraphDraft =>
  graphOf(
    {
      cam: 'source',
      ...Object.fromEntries(threads.map((n, i) => [`t${i}`, ['apriltag', { threads: n, blur: i / 10, ...params }]])),
    },
    threads.map((_, i) => `cam.image > t${i}.image`),
    threads.map((_, i) => `t${i}.detections`),
  )

test('a decimate that libapriltag does not have runs as the one below, which a warning says and repairs', () => {
  for (const [asked, runs] of [
    [2.5, 2],
    [1.25, 1],
    [1.75, 1],
  ]) {
    const graph = detectors([1], { decimate: asked })
    const found = only(graph, 'param.adjusted')
    assert.deepEqual([found.severity, found.node, found.pointer], ['warning', 't0', '/nodes/1/params/decimate'])
    const after = repaired(graph, found.fix)
    assert.equal(after.nodes[1]?.params?.decimate, runs)
    assert.deepEqual(examine(after).diagnostics, [])
  }
  for (const decimate of [1, 1.5, 2, 8]) assert.deepEqual(examine(detectors([1], { decimate })).diagnostics, [])
})

test('the detectors of a graph share eight threads, as evenly as they ask for them', () => {
  const theirs = (threads: readonly number[]) => detectors(threads, { engine: 'reference' })
  const threadsOf = (graph: GraphDraft) => runnable(graph).plan.steps.flatMap(({ params }) => params.threads ?? [])

  assert.deepEqual(threadsOf(theirs([4, 4])), [4, 4])
  assert.deepEqual(threadsOf(theirs([4, 1, 4, 2])), [3, 1, 2, 2])
  assert.deepEqual(threadsOf(theirs([4, 4, 4, 4, 4, 4, 4, 4])), [1, 1, 1, 1, 1, 1, 1, 1])
  let graph = theirs([4, 1, 4, 2])
  for (let warnings = 2; warnings >= 0; warnings -= 1) {
    const found = examine(graph).diagnostics
    assert.deepEqual(
      found.map(({ code }) => code),
      Array(warnings).fill('param.adjusted'),
    )
    if (found[0]) graph = repaired(graph, found[0].fix)
  }
  assert.deepEqual(threadsOf(graph), [3, 1, 2, 2])
})

test("of the service's own detector two threads count, however many it is given", () => {
  const threadsOf = (graph: GraphDraft) => runnable(graph).plan.steps.flatMap(({ params }) => params.threads ?? [])
  const own = (threads: readonly number[]) => detectors(threads, { engine: 'vedette' })
  const costOf = (threads: number) => examine(own([threads])).cost?.steps.find(({ id }) => id === 't0')?.us ?? 0

  assert.deepEqual(threadsOf(own([4, 4, 4, 4])), [4, 4, 4, 4])
  assert.deepEqual(examine(own([4, 4, 4, 4])).diagnostics, [])
  assert.deepEqual(threadsOf(own([4, 1, 4, 4, 4])), [4, 1, 4, 4, 1])
  assert.ok(costOf(2) < 0.7 * costOf(1))
  assert.equal(costOf(4), costOf(2))
})

test('a graph whose pictures would fill the memory is refused: by their sizes, and by those of its camera', () => {
  const chain = (count: number, first: string | [string, object]) =>
    graphOf(
      {
        cam: 'source',
        first,
        ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`b${n}`, ['blur', { radius_px: 1 + (n % 5) }]])),
      },
      [
        'cam.colour > first.image',
        ...Array.from({ length: count }, (_, n) => `${n === 0 ? 'first' : `b${n - 1}`}.image > b${n}.image`),
      ],
      [`b${count - 1}.image`],
    )
  const large: [string, object] = ['resize', { width_px: 4000, height_px: 2000 }]

  assert.equal(examine(chain(3, large)).runnable, true)
  assert.match(only(chain(20, large), 'pictures.too_large').message, /about \d+ MB, of a camera with 1280x800/)
  assert.equal(planGraph(chain(20, large)).ok, false)
  const many = chain(20, 'flip')
  assert.equal(examine(many).runnable, true)
  const picture = { width_px: 4096, height_px: 2160 }
  assert.match(only(many, 'pictures.too_large', { picture }).message, /4096x2160/)
  const part = chain(20, ['crop', { width_px: 640, height_px: 480 }])
  assert.equal(examine(part, { picture }).runnable, true, 'a part of it is small')
})
