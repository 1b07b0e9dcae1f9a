// The pipeline editor's own arithmetic: changes of a graph, wires that fit, steps that can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeTypes } from '../../machines/pipeline/registry.ts'
import { templates } from '../../machines/pipeline/templates.ts'
import { arranged, NODE_WIDTH, placesOf } from '../../ui/rooms/pipelines/arrange.ts'
import { createEdit, isDirty, graphOf as shownGraph } from '../../ui/rooms/pipelines/edit.ts'
import { fragmentIn, fragmentOf, fragmentText, withFragment, withoutNodes } from '../../ui/rooms/pipelines/fragment.ts'
import {
  differencesOf,
  type Graph,
  inOrder,
  type NodeType,
  type NodeTypes,
  paramsOf,
  withEdge,
  withNode,
  withOtherId,
  withoutNode,
  withParams,
} from '../../ui/rooms/pipelines/graph.ts'
import { changed, dragged, letGo, redone, startHistory, undone } from '../../ui/rooms/pipelines/history.ts'
import { repaired } from '../../ui/rooms/pipelines/repair.ts'
import { formatOf, markOf, whyNot, wiresOf } from '../../ui/rooms/pipelines/wires.ts'

/** The types as the interface tells of them. */
const types: NodeTypes = new Map(
  Object.entries(nodeTypes).map(([type, { inputs, outputs, params, live = [] }]) => {
    const portOf = (port: object) => ({ optional: false, ...port })
    const told = { type, inputs: inputs.map(portOf), outputs: outputs.map(portOf), params, live }
    return [type, told as unknown as NodeType]
  }),
)

const tags: Graph = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'blur', type: 'blur' },
    { id: 'tags', type: 'apriltag' },
    { id: 'points', type: 'undistort-points' },
  ],
  edges: [
    { from: 'source.colour', to: 'blur.image' },
    { from: 'blur.image', to: 'tags.image' },
    { from: 'tags.detections', to: 'points.detections' },
  ],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
  layout: { source: { x: 0, y: 0 }, tags: { x: 400, y: 0 } },
}

test('a node that goes takes its wires, its outputs and its place along', () => {
  const graph = withoutNode(tags, 'tags')

  assert.deepEqual(graph.edges, [{ from: 'source.colour', to: 'blur.image' }])
  assert.deepEqual(graph.outputs, [])
  assert.deepEqual(Object.keys(graph.layout ?? {}), ['source'])
  assert.equal(tags.nodes.length, 4, 'the graph before is as it was')
})

test('a node with another name keeps its wires, its outputs and its place', () => {
  const graph = withOtherId(tags, 'tags', 'near')

  assert.deepEqual(graph.edges[2], { from: 'near.detections', to: 'points.detections' })
  assert.deepEqual(graph.outputs, [{ port: 'tags', from: 'near.detections' }])
  assert.deepEqual(graph.layout?.near, { x: 400, y: 0 })
})

test('a node of a plugin is called by what it does there', () => {
  const { graph, id } = withNode(tags, 'note-finder.measure-notes', { x: 0, y: 0 })

  assert.equal(id, 'measure_notes')
  assert.equal(graph.nodes.at(-1)?.type, 'note-finder.measure-notes')
})

test('a second node of a type gets a name of its own', () => {
  const first = withNode(tags, 'undistort-points', { x: 0, y: 0 })
  const second = withNode(first.graph, 'undistort-points', { x: 0, y: 0 })

  assert.deepEqual([first.id, second.id], ['undistort_points', 'undistort_points_2'])
})

test('nodes that are pasted bring the wires between them, get names and places of their own, and no others', () => {
  const places = placesOf(tags, types)
  const copied = fragmentIn(fragmentText(fragmentOf(tags, ['blur', 'tags'], places)))
  assert.ok(copied)

  const { graph, ids } = withFragment(tags, copied, places)
  const again = withFragment(graph, copied, placesOf(graph, types))

  assert.deepEqual(ids, ['blur_2', 'tags_2'])
  assert.deepEqual(again.ids, ['blur_3', 'tags_3'])
  assert.deepEqual(
    graph.edges.filter((edge) => !tags.edges.includes(edge)),
    tags.edges
      .filter(({ from, to }) => from.startsWith('blur.') && to.startsWith('tags.'))
      .map(({ from, to }) => ({ from: from.replace('blur', 'blur_2'), to: to.replace('tags', 'tags_2') })),
  )
  const stand = Object.values(again.graph.layout ?? {}).map(({ x, y }) => `${x} ${y}`)
  assert.equal(new Set(stand).size, again.graph.nodes.length)
  assert.deepEqual(withoutNodes(again.graph, [...ids, ...again.ids]).nodes, tags.nodes)
})

test('a text that is no part of a pipeline is not pasted', () => {
  const good = JSON.parse(fragmentText(fragmentOf(tags, ['tags'], {})))
  const bad = ['tags', '{}', '[]', JSON.stringify({ ...good, nodes: [] }), JSON.stringify({ ...good, nodes: 7 })]
  const wrong = [{ id: 'A b', type: 'blur' }, { id: 'blur' }, null]
  for (const text of [...bad, ...wrong.map((node) => JSON.stringify({ ...good, nodes: [node] }))])
    assert.equal(fragmentIn(text), undefined, text)
})

test('an input has one wire: another one takes its place', () => {
  const graph = withEdge(tags, 'source.image', 'tags.image')

  assert.equal(graph.edges.filter(({ to }) => to === 'tags.image').length, 1)
})

test('a wire that does not fit is refused with the reason', () => {
  assert.equal(whyNot(tags, types, 'source.image', 'tags.image'), undefined)
  assert.match(whyNot(tags, types, 'tags.detections', 'blur.image') ?? '', /gives detections, but .* takes picture/)
  assert.match(whyNot(tags, types, 'tags.detections', 'tags.image') ?? '', /cannot read what it makes itself/)
  const pair = withNode(withNode(tags, 'hsv-threshold', { x: 0, y: 0 }).graph, 'morphology', { x: 0, y: 0 }).graph
  assert.match(whyNot(pair, types, 'source.image', 'hsv_threshold.image') ?? '', /grey picture, but .* colour picture/)
  assert.match(whyNot(pair, types, 'blur.image', 'morphology.mask') ?? '', /colour picture, but .* a mask/)
})

test('a wire that would lead in a circle is refused', () => {
  const graph = withEdge(withNode(tags, 'rotate', { x: 0, y: 0 }).graph, 'blur.image', 'rotate.image')

  assert.match(whyNot(graph, types, 'rotate.image', 'blur.image') ?? '', /circle/)
})

test('a picture is told by what is really in it, through nodes that give what they get', () => {
  const port = types.get('blur')?.outputs[0]
  assert.ok(port)

  assert.equal(formatOf(tags, types, 'blur.image'), 'colour')
  assert.equal(markOf(port, formatOf(tags, types, 'blur.image')).letter, 'C')
})

test('no two kinds of values that fit nowhere together have the same letter', () => {
  const marks = new Map<string, Set<string>>()
  for (const { inputs, outputs } of types.values())
    for (const port of [...inputs, ...outputs]) {
      const { letter } = markOf(port)
      marks.set(letter, (marks.get(letter) ?? new Set()).add(port.kind))
    }

  assert.deepEqual(
    [...marks].filter(([letter, kinds]) => kinds.size > 1 || letter === '?'),
    [],
  )
})

test('all wires of a node are offered, those that are there already are not', () => {
  const wires = wiresOf(tags, types, 'points')

  assert.ok(!wires.some(({ from, to }) => from === 'tags.detections' && to === 'points.detections'))
  assert.ok(wires.every(({ from, to }) => from.startsWith('points.') !== to.startsWith('points.')))
  assert.ok(wiresOf(tags, types, 'tags').some(({ from, why }) => from === 'source.image' && why === undefined))
})

test('nodes stand behind those that they read, also in a circle', () => {
  assert.deepEqual(inOrder({ ...tags, nodes: tags.nodes.toReversed() }), ['source', 'blur', 'tags', 'points'])
  const circle = withEdge(tags, 'points.points', 'blur.image')
  assert.equal(inOrder(circle).length, 4)
})

test('what differs is told by node and parameter, and a default that is written down is no difference', () => {
  const theirs = withParams(tags, 'tags', paramsOf({ id: 'tags', type: 'apriltag' }, types))
  assert.deepEqual(differencesOf(theirs, tags, types), [])

  const mine = withEdge(withParams(tags, 'tags', { decimate: 2 }), 'source.image', 'tags.image')

  assert.deepEqual(differencesOf(theirs, mine, types), [
    { what: 'tags, decimate', theirs: '1', mine: '2' },
    { what: 'wire blur.image to tags.image', theirs: 'there', mine: undefined },
    { what: 'wire source.image to tags.image', theirs: undefined, mine: 'there' },
  ])
})

test('every template is laid out without two nodes on one another', () => {
  for (const { graph } of templates) {
    const places = Object.values(arranged(graph, types))
    const overlaps = places.flatMap((a, n) =>
      places.slice(n + 1).filter((b) => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < 60),
    )
    assert.deepEqual(overlaps, [])
  }
})

test('a node without a place gets one beside those that have', () => {
  const places = placesOf(tags, types)

  assert.deepEqual(places.source, { x: 0, y: 0 })
  assert.ok((places.blur?.y ?? 0) > 0)
})

test('all of a drag is one step, and one that comes back is none', () => {
  let history = startHistory(0)
  for (const value of [1, 2, 3]) history = dragged(history, value)
  history = letGo(history, Object.is)
  assert.deepEqual([history.now, history.past], [3, [0]])

  history = letGo(dragged(dragged(history, 9), 3), Object.is)
  assert.deepEqual([history.now, history.past], [3, [0]])
})

test('what was undone can be done again, until something else is done', () => {
  const history = undone(undone(changed(changed(startHistory('a'), 'b'), 'c')))
  assert.equal(history.now, 'a')

  assert.equal(redone(redone(history)).now, 'c')
  assert.deepEqual(changed(redone(history), 'd').future, [])
})

test('undoing in the middle of a drag gives back what was before it', () => {
  const history = undone(dragged(startHistory(1), 2))

  assert.deepEqual(history, startHistory(1))
})

const saved = { graph: tags, revision: 4 }
const decimated = (factor: number) => withParams(tags, 'tags', { decimate: factor })

test('what somebody else stores is shown at once while nothing was changed here', () => {
  const edit = createEdit(saved, types)

  edit.trigger.heard({ saved: { graph: decimated(2), revision: 5 } })

  const now = edit.getSnapshot().context
  assert.deepEqual(shownGraph(now), decimated(2))
  assert.equal(now.base.revision, 5)
  assert.equal(isDirty(now, types), false)
})

test('what somebody else stores stands beside what was changed here', () => {
  const edit = createEdit(saved, types)
  edit.trigger.changed({ graph: decimated(3) })

  edit.trigger.heard({ saved: { graph: decimated(2), revision: 5 } })

  const now = edit.getSnapshot().context
  assert.deepEqual(shownGraph(now), decimated(3))
  assert.equal(now.theirs?.revision, 5)
  edit.trigger.keptMine()
  assert.deepEqual(shownGraph(edit.getSnapshot().context), decimated(3))
  assert.equal(edit.getSnapshot().context.base.revision, 5)
})

test('taking theirs can be undone', () => {
  const edit = createEdit(saved, types)
  edit.trigger.changed({ graph: decimated(3) })
  edit.trigger.heard({ saved: { graph: decimated(2), revision: 5 } })

  edit.trigger.tookTheirs()
  assert.deepEqual(shownGraph(edit.getSnapshot().context), decimated(2))

  edit.trigger.undone()
  assert.deepEqual(shownGraph(edit.getSnapshot().context), decimated(3))
})

test('one that was stored with the same content, or only with another revision, is no conflict', () => {
  const edit = createEdit(saved, types)
  edit.trigger.changed({ graph: decimated(3) })

  edit.trigger.heard({ saved: { graph: tags, revision: 5 } })
  assert.equal(edit.getSnapshot().context.theirs, undefined)
  edit.trigger.heard({ saved: { graph: decimated(3), revision: 6 } })

  const now = edit.getSnapshot().context
  assert.equal(now.theirs, undefined)
  assert.equal(isDirty(now, types), false)
})

test('a fix is applied to a copy, and not at all where the graph is another one', () => {
  const fix = [
    { op: 'test' as const, path: '/nodes/1/id', value: 'blur' },
    { op: 'replace' as const, path: '/nodes/1/type', value: 'flip' },
  ]

  assert.equal(repaired(tags, fix)?.nodes[1]?.type, 'flip')
  assert.equal(tags.nodes[1]?.type, 'blur')
  assert.equal(repaired(withoutNode(tags, 'source'), fix), undefined)
})
