// What is stored, and what runs, when somebody wants a stream to run something else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import type { GraphDocument, GraphDraft } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { Refused } from '../../../machines/settings/commit.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import { followed, type PipelineRequest, pipelineChange } from '../../../machines/stream/pipeline-change.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

/** A pipeline that is told from others by its name. */
const named = (name: string): GraphDocument => ({
  name,
  nodes: [{ id: 'source', type: 'source' }],
  edges: [],
  outputs: [],
  layout: { source: { x: 1, y: 2 } },
})

const draft: GraphDraft = { nodes: [], edges: [], outputs: [] }

const graphs = new Map<string, GraphDraft>([
  ['near', named('near')],
  ['far', named('far')],
  ['draft', draft],
])

const synthetic = { id: 'front', source: { backend: 'synthetic' } } as const
const own: CanonicalManifest = storedStream(1, { ...synthetic, pipeline: named('own') }).value

/** What becomes of a manifest, or the fault with its first pointer. */
const after = (manifest: CanonicalManifest, request: PipelineRequest) => {
  const change = pipelineChange(request, { manifest, graphOf: (id) => graphs.get(id), planOf: planGraph })
  if (isFault(change)) return { why: `${change.code} ${change.errors?.[0]?.pointer ?? ''}`.trim() }
  const changed = change.change(manifest)
  if (changed instanceof Refused) return { why: changed.fault.code }
  assert.deepEqual(streamCollection.check(changed as never, 'front'), [])
  return { manifest: changed, runs: change.runs?.graph.name }
}

/** After some requests one after the other. */
const following = (...requests: readonly PipelineRequest[]): CanonicalManifest =>
  requests.reduce((manifest, request) => after(manifest, request).manifest ?? manifest, own)

const shown = ({ slots, active_slot, pipeline, own_pipeline }: CanonicalManifest) => ({
  slots: slots?.map(({ slot, graph_id }) => `${slot} ${graph_id}`),
  active: active_slot,
  runs: pipeline.name,
  own: own_pipeline?.name,
})

test('a slot that is made active runs a copy of its stored pipeline, and the own one is kept', () => {
  const manifest = following({ graph_id: 'near', slot: 2 })

  assert.deepEqual(shown(manifest), { slots: ['2 near'], active: 2, runs: 'near', own: 'own' })
  assert.equal(manifest.pipeline.layout, undefined)
})

test('between slots it is switched by number, and back to the own pipeline', () => {
  const filled = [
    { graph_id: 'near', slot: 2 },
    { graph_id: 'far', slot: 0, activate: false },
  ]

  assert.deepEqual(shown(following(...filled)), { slots: ['0 far', '2 near'], active: 2, runs: 'near', own: 'own' })
  assert.deepEqual(shown(following(...filled, { slot: 0 })), {
    slots: ['0 far', '2 near'],
    active: 0,
    runs: 'far',
    own: 'own',
  })
  assert.deepEqual(shown(following(...filled, { slot: 0 }, { slot: null })), {
    slots: ['0 far', '2 near'],
    active: undefined,
    runs: 'own',
    own: undefined,
  })
})

test('a graph is the own pipeline from then on, whole, and the slots stay for later', () => {
  const { layout: _, ...other } = named('other')
  const manifest = following({ graph_id: 'near', slot: 2 }, { graph: other })

  assert.deepEqual(shown(manifest), { slots: ['2 near'], active: undefined, runs: 'other', own: undefined })
  assert.equal(following({ graph: other }).pipeline.layout, undefined)
})

test('without a number a stored pipeline goes to its present slot, else the active, else the first free', () => {
  const slots = (...requests: readonly PipelineRequest[]) => shown(following(...requests)).slots

  assert.deepEqual(slots({ graph_id: 'near', slot: 0, activate: false }, { graph_id: 'far' }), ['0 near', '1 far'])
  assert.deepEqual(slots({ graph_id: 'near', slot: 4 }, { graph_id: 'far' }), ['4 far'])
  assert.deepEqual(shown(following({ graph_id: 'near', slot: 4, activate: false }, { graph_id: 'near' })).active, 4)
  const full = Array.from({ length: 10 }, (_, slot) => ({ graph_id: 'near', slot, activate: false }))
  assert.equal(after(following(...full), { graph_id: 'far' }).why, 'body.invalid /slot')
})

test('another pipeline in the slot that is active is run at once, whatever is said', () => {
  const change = after(following({ graph_id: 'near', slot: 2 }), { graph_id: 'far', slot: 2, activate: false })

  assert.equal(change.runs, 'far')
})

test('a slot is emptied, but not the active one', () => {
  const manifest = following({ graph_id: 'near', slot: 2 }, { graph_id: 'far', slot: 3, activate: false })

  assert.deepEqual(
    shown(following({ graph_id: 'near', slot: 2, activate: false }, { graph_id: null, slot: 2 })).slots,
    undefined,
  )
  assert.deepEqual(after(manifest, { graph_id: null, slot: 3 }).manifest?.slots, [{ slot: 2, graph_id: 'near' }])
  assert.equal(after(manifest, { graph_id: null, slot: 2 }).why, 'slot.active')
})

test('what cannot be is refused with the place', () => {
  const graph = named('other')
  const whys = (
    [
      ...[{}, { graph, graph_id: 'near' }, { graph, slot: 2 }, { slot: 2, activate: true }, { graph_id: null }],
      ...[{ graph_id: 'near', slot: null }, { slot: 7 }, { graph_id: 'nobody' }, { graph_id: 'draft' }],
      { graph: { nodes: [{ id: 'tea', type: 'tea' }], edges: [], outputs: [] } },
    ] as readonly PipelineRequest[]
  ).map((request) => after(own, request).why)

  assert.deepEqual(whys, [
    ...['body.invalid', 'body.invalid /graph_id', 'body.invalid /slot', 'body.invalid /activate', 'body.invalid /slot'],
    ...[
      'body.invalid /slot',
      'slot.empty',
      'graph.not_found',
      'body.invalid /graph_id',
      'body.invalid /graph/nodes/0/type',
    ],
  ])
})

test('a stream that has gone over to another pipeline by then is left alone by a stored one that was changed', () => {
  const planned = planGraph(named('near, changed'))
  assert.ok(planned.ok)
  const change = followed('near', planned)

  const near = following({ graph_id: 'near', slot: 2 })
  const far = following({ graph_id: 'near', slot: 2 }, { graph_id: 'far', slot: 3 })

  assert.equal(change(near).pipeline.name, 'near, changed')
  assert.equal(change(far), far)
})

test('slots that contradict one another are refused with the place', () => {
  const slots = [
    { slot: 2, graph_id: 'near' },
    { slot: 2, graph_id: 'far' },
  ]
  const canonical = canonicalManifest({ ...synthetic, slots, active_slot: 5 })
  const doubled = canonicalManifest({ ...synthetic, own_pipeline: named('own') })

  assert.ok(!canonical.ok && !doubled.ok)
  assert.deepEqual(
    [...canonical.errors, ...doubled.errors].map(({ pointer }) => pointer),
    ['/slots/1/slot', '/active_slot', '/own_pipeline'],
  )
})

test('a stream that was stored before there were slots is what it was', () => {
  const before = JSON.parse(JSON.stringify(own)) as CanonicalManifest

  const canonical = canonicalManifest(before)

  assert.ok(canonical.ok)
  assert.deepEqual(canonical.manifest, before)
})

/** What becomes of a manifest that was changed by one request while another was being carried out. */
const afterBoth = (manifest: CanonicalManifest, request: PipelineRequest, meanwhile: PipelineRequest) => {
  const change = pipelineChange(request, { manifest, graphOf: (id) => graphs.get(id), planOf: planGraph })
  assert.ok(!isFault(change))
  return change.change(after(manifest, meanwhile).manifest ?? manifest)
}

test('two pipelines that are put into slots in the same moment both have one', () => {
  const both = afterBoth(own, { graph_id: 'near', activate: false }, { graph_id: 'far', activate: false })

  assert.ok(!(both instanceof Refused))
  assert.deepEqual(shown(both).slots, ['0 far', '1 near'])
})

test('a slot that has another pipeline by the time it is switched to, or none, is left as it is', () => {
  const filled = following({ graph_id: 'near', slot: 2, activate: false })

  for (const meanwhile of [
    { graph_id: 'far', slot: 2, activate: false },
    { graph_id: null, slot: 2 },
  ]) {
    const changed = afterBoth(filled, { slot: 2 }, meanwhile)
    assert.ok(changed instanceof Refused)
    assert.equal(changed.fault.code, 'revision.stale')
  }
})

test('what else became of the slots meanwhile is kept', () => {
  const filled = following({ graph_id: 'near', slot: 2, activate: false })
  const changed = afterBoth(filled, { slot: 2 }, { graph_id: 'far', slot: 5, activate: false })

  assert.ok(!(changed instanceof Refused))
  assert.deepEqual([shown(changed).slots, shown(changed).active], [['2 near', '5 far'], 2])
})

test('a stored pipeline that was deleted while it was tried is put into no slot', () => {
  const known = new Map(graphs)
  const change = pipelineChange(
    { graph_id: 'near', slot: 1 },
    { manifest: own, graphOf: (id) => known.get(id), planOf: planGraph },
  )
  assert.ok(!isFault(change))
  known.delete('near')

  const changed = change.change(own)

  assert.ok(changed instanceof Refused)
  assert.equal(changed.fault.code, 'graph.not_found')
})

test('what does not fit is said of the body, once', () => {
  const why = (request: PipelineRequest) => {
    const change = pipelineChange(request, { manifest: own, graphOf: (id) => graphs.get(id), planOf: planGraph })
    return isFault(change) ? change.detail : ''
  }

  assert.match(why({ graph_id: 'near', slot: null }), /^\/slot of the body is missing/)
  const unfit = why({ graph_id: 'draft', slot: 1 })
  assert.match(unfit, /^\/graph_id of the body cannot be had: the stored pipeline draft cannot run: /)
  assert.equal(unfit.match(/cannot (be )?run/g)?.length, 1)
})

test('a pipeline that is tried changes nothing of the manifest', () => {
  const slotted = following({ graph_id: 'near', slot: 2 })
  const { manifest, runs } = after(slotted, { graph: named('tried'), trial_s: 30 })

  assert.deepEqual([manifest, runs], [slotted, 'tried'])
})

test('a trial is of a graph, and is ended by nothing beside that', () => {
  assert.deepEqual(
    [
      { slot: 2, trial_s: 30 },
      { graph_id: 'near', trial_s: 30 },
      { trial_s: 30 },
      { graph: named('tried'), trial_s: null },
      { slot: null, trial_s: null },
    ].map((request) => after(following({ graph_id: 'near', slot: 2 }), request).why),
    [
      'body.invalid /trial_s',
      'body.invalid /trial_s',
      'body.invalid',
      'body.invalid /trial_s',
      'body.invalid /trial_s',
    ],
  )
  assert.deepEqual(after(own, { trial_s: null }), { manifest: own, runs: undefined })
})

test('whatever chooses what runs ends a trial, and what fills or empties slots does not', () => {
  const trialOf = (manifest: CanonicalManifest, request: PipelineRequest) => {
    const change = pipelineChange(request, { manifest, graphOf: (id) => graphs.get(id), planOf: planGraph })
    return isFault(change) ? change.code : change.trial_s
  }
  const slotted = following({ graph_id: 'near', slot: 2 })
  const choices = [
    { graph: named('own') },
    { slot: 2 },
    { slot: null },
    { graph_id: 'far', slot: 1 },
    { trial_s: null },
  ]
  const others = [
    { graph_id: 'far', slot: 1, activate: false },
    { graph_id: null, slot: 1 },
  ]

  for (const request of choices) assert.equal(trialOf(slotted, request), null, JSON.stringify(request))
  assert.equal(trialOf(own, { slot: null }), null)
  for (const request of others) assert.equal(trialOf(slotted, request), undefined, JSON.stringify(request))
})
