// What a stream's status says, for everything that can be the case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import { presentWarnings, type StreamState, withWarning } from '../../../machines/stream/status.ts'
import { type StreamFacts, type StreamSnapshot, statusOf } from '../../../machines/stream/status-of.ts'
import type { ChildStatus } from '../../../machines/supervision/child.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

const of = <Code extends FaultCode>(code: Code) => ({ code, detail: code })
const crash = of('engine.crashed')
const lost = of('camera.lost')
const manifest = { id: 'front', source: { backend: 'synthetic' } } as const

const child = (state: ChildStatus['state'], fault: ChildStatus['fault'] = null): ChildStatus => ({
  id: 'streams/front',
  state,
  since_ms: 3,
  restarts: 2,
  fault,
})

/** A snapshot of the machine. applied: the revision that the engine has taken up. */
const machine = (
  value: StreamSnapshot['value'],
  applied: number | null,
  fault: StreamSnapshot['context']['fault'] = null,
) => ({
  status: 'active',
  value,
  context: { applied: applied === null ? null : storedStream(applied, manifest), fault, refusal: null },
})
const ended = { ...machine('crashed', 7, crash), status: 'done', output: { outcome: 'crashed', fault: crash } }
const thrown = { ...machine('live', 7), status: 'error', error: new Error('a bug') }

type Row = readonly [
  enabled: boolean,
  child: ChildStatus | undefined,
  snapshot: StreamSnapshot | undefined,
  state: StreamState,
  fault: string | null,
  applied: number | null,
]

const rows: readonly Row[] = [
  // Nothing runs it.
  [true, undefined, undefined, 'starting', null, null],
  [false, undefined, undefined, 'disabled', null, null],
  // It has been disabled, and its engine is still ending.
  [false, child('starting'), undefined, 'disabled', null, null],
  [false, child('running'), machine('live', 7), 'disabled', null, null],
  [false, child('restarting', crash), undefined, 'disabled', null, null],
  [false, child('failed', crash), undefined, 'failed', 'engine.crashed', null], // or it could not be stopped
  // Its engine is being started; for the first time, or because somebody asked for it.
  [true, child('starting'), undefined, 'starting', null, null],
  [true, child('starting', crash), undefined, 'starting', 'engine.crashed', null],
  [true, child('running'), undefined, 'starting', null, null],
  // Its camera is being opened; what the engine crashed with before holds until it is.
  [true, child('running'), machine({ opening: 'camera' }, null), 'opening', null, null],
  [true, child('running', crash), machine({ opening: 'camera' }, null), 'opening', 'engine.crashed', null],
  [true, child('running', crash), machine({ opening: 'camera' }, null, lost), 'opening', 'camera.lost', null],
  [true, child('running', crash), machine({ opening: 'first-frame' }, 7), 'opening', 'engine.crashed', 7],
  // It runs.
  [true, child('running'), machine('live', 7), 'live', null, 7],
  [true, child('running'), machine({ stalled: 'asking' }, 7), 'stalled', null, 7],
  [true, child('running'), machine({ stalled: 'waiting' }, 7), 'stalled', null, 7],
  [true, child('running'), machine('backing-off', 7, lost), 'backing-off', 'camera.lost', 7],
  [true, child('running'), machine('ended', 7), 'ended', null, 7],
  // Its actor has ended, and what that held is being released.
  [true, child('running'), ended, 'restarting', 'engine.crashed', null],
  [true, child('running'), thrown, 'restarting', 'actor.crashed', null],
  // It is down.
  [true, child('restarting', crash), undefined, 'restarting', 'engine.crashed', null],
  [true, child('failed', crash), undefined, 'failed', 'engine.crashed', null],
]

const facts = {
  opened: undefined,
  stamped: undefined,
  warnings: [],
  fps: 29.97,
  viewers: 1,
  extcam_table: 'limelight',
  recording: null,
  guard: null,
  robot: null,
  graph: null,
  trial: null,
}

test('the state, the fault and the revision in force follow from the manifest, the child and its machine', () => {
  for (const [enabled, has, snapshot, state, fault, applied] of rows) {
    const status = statusOf({ manifest: { enabled }, paused: null, child: has, snapshot }, facts, 5)

    const seen = [status.state, status.fault?.code ?? null, status.applied_revision]
    assert.deepEqual(seen, [state, fault, applied], `${enabled} ${JSON.stringify(has)} ${JSON.stringify(snapshot)}`)
    assert.deepEqual([status.since_ms, status.restarts], [5, has?.restarts ?? 0])
  }
})

test('a stream that the resource guard has stopped says so, unless nobody wants it or it could not be stopped', () => {
  const paused = of('guard.paused')
  const run = { manifest: { enabled: true }, paused, child: undefined, snapshot: undefined }
  const stateOf = (more: object) => {
    const { state, fault } = statusOf({ ...run, ...more }, facts, 5)
    return [state, fault?.code ?? null]
  }

  assert.deepEqual(stateOf({}), ['paused', 'guard.paused'])
  assert.deepEqual(stateOf({ child: child('running'), snapshot: machine('live', 7) }), ['paused', 'guard.paused'])
  assert.deepEqual(stateOf({ manifest: { enabled: false } }), ['disabled', null])
  assert.deepEqual(stateOf({ child: child('failed', crash) }), ['failed', 'engine.crashed'])
})

test('a rate is told of a stream that is live, what else was measured of any', () => {
  const opened = {
    width_px: 1280,
    height_px: 800,
    crop: null,
    intrinsics: null,
    pixel_format: 'jpeg',
    timestamp_source: 'arrival' as const,
  }
  const warnings = [{ ...of('picture.corrupt'), count: 3, last_at_ms: 1000 }]
  const run = (value: StreamSnapshot['value']) => ({
    manifest: { enabled: true },
    paused: null,
    child: child('running'),
    snapshot: machine(value, 7),
  })

  const live = statusOf(run('live'), { ...facts, opened, warnings }, 5)
  const byPeer = statusOf(run('live'), { ...facts, opened, stamped: 'peer' }, 5)
  const stalled = statusOf(run({ stalled: 'waiting' }), { ...facts, stamped: 'peer' }, 5)

  assert.deepEqual(
    [live.fps, live.width_px, live.height_px, live.pixel_format, live.warnings, live.viewers, live.extcam_table],
    [30, 1280, 800, 'jpeg', warnings, 1, 'limelight'],
  )
  assert.deepEqual(
    [live, byPeer, stalled].map(({ timestamp_source }) => timestamp_source),
    ['arrival', 'peer', null],
  )
  assert.deepEqual([stalled.fps, stalled.width_px, stalled.lens, stalled.viewers], [null, null, null, 1])
  assert.deepEqual([live.lens?.source, live.lens?.width_px, live.lens?.hfov_deg], ['guessed', 1280, 64.01])
})

test('a stream says which slot runs, and why its stored pipeline, as it is now, does not', () => {
  const slots = { slots: [{ slot: 3, graph_id: 'near' }], active_slot: 3 }
  const refusal = of('pipeline.refused')
  const live = machine('live', 7)
  const pipelineOf = (manifest: object, snapshot: StreamSnapshot, graph: StreamFacts['graph']) =>
    statusOf(
      { manifest: { enabled: true, ...manifest }, paused: null, child: child('running'), snapshot },
      { ...facts, graph },
      5,
    ).pipeline
  const known = { graph_id: 'near', stored: { revision: 2, value: { nodes: [], edges: [], outputs: [] } } }

  const refused = { ...live, context: { ...live.context, refusal } }
  assert.deepEqual(pipelineOf({}, live, null), { slot: null, graph_id: null, fault: null, trial: null })
  assert.deepEqual(pipelineOf(slots, live, known), { slot: 3, graph_id: 'near', fault: null, trial: null })
  assert.deepEqual(pipelineOf(slots, refused, known), { slot: 3, graph_id: 'near', fault: refusal, trial: null })
  assert.equal(pipelineOf(slots, live, { ...known, stored: undefined }).fault?.code, 'graph.not_found')
})

test('faults of a pipeline are told until 10 s after the last, and counted on when they come again', () => {
  const corrupt = withWarning([], of('picture.corrupt'), { times: 1, nowMs: 0 })
  const failed = withWarning(corrupt, of('step.failed'), { times: 4, nowMs: 1000 })
  const codes = (nowMs: number) => presentWarnings(failed, nowMs).map(({ code }) => code)

  assert.deepEqual(codes(10_999), ['step.failed', 'picture.corrupt'])
  assert.deepEqual(codes(11_000), ['picture.corrupt'])
  const again = presentWarnings(withWarning(failed, of('step.failed'), { times: 1, nowMs: 20_000 }), 20_001)
  assert.deepEqual([again[0]?.code, again[0]?.count, again[0]?.last_at_ms], ['step.failed', 5, 20_000])
})
