import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContextFrom, initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { GraphDraft } from '../../../machines/pipeline/graph.ts'
import type { StoredValue } from '../../../machines/settings/store.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import type { SlotGraph } from '../../../machines/stream/slots.ts'
import type { SourceDocument } from '../../../machines/stream/sources/source.ts'
import { type StreamEvent, streamMachine } from '../../../machines/stream/stream-machine.ts'
import { sourceAlone } from '../../../machines/stream/what-runs.ts'
import { type Sample, walk } from '../../support/walk.ts'

const canonical = (source: SourceDocument): CanonicalManifest => {
  const whole = canonicalManifest({ id: 'front', source })
  assert.ok(whole.ok)
  return whole.manifest
}

const manifest = canonical({ backend: 'images', path: '/pictures' })
const stored: StoredValue<CanonicalManifest> = { revision: 1, value: manifest }
const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const moved: StoredValue<CanonicalManifest> = { revision: 2, value: { ...manifest, pose } }
const elsewhere: StoredValue<CanonicalManifest> = { revision: 3, value: { ...manifest, map_id: '2026-field' } }
const redrawn: StoredValue<CanonicalManifest> = {
  revision: 4,
  value: { ...manifest, pipeline: { ...manifest.pipeline, outputs: manifest.pipeline.outputs.slice(0, 1) } },
}
const slots = { slots: [{ slot: 2, graph_id: 'near' }], active_slot: 2 }
const slotted: StoredValue<CanonicalManifest> = { revision: 5, value: { ...manifest, ...slots } }
/** The stored pipeline of that slot. */
const near = (revision: number, graph: GraphDraft): SlotGraph => ({
  graph_id: 'near',
  stored: { revision, value: graph },
})
const graphIs = (graph: SlotGraph | null) => ({ type: 'graph.changed', graph }) as const
const fault: Fault = { code: 'camera.lost', detail: 'The camera was pulled.' }

/** The states after some events; effects are not run. */
const after = (...events: readonly StreamEvent[]) => {
  let [snapshot, actions] = initialTransition(streamMachine, stored)
  for (const event of events) [snapshot, actions] = transition(streamMachine, snapshot, event)
  return { snapshot, actions: actions.map(({ type }) => type) }
}
const opened = { type: 'xstate.done.actor.openCamera', output: undefined } as never

const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
const plugged: StoredValue<CanonicalManifest> = {
  revision: 1,
  value: canonical({ backend: 'v4l2', camera_uid: 'cam-k3f7q2ma', ...mode }),
}

/** What a camera does that is just being taken away is none of it. */
const ENDS_A_RESET = [
  ...['xstate.done.actor.resetCamera', 'xstate.error.actor.resetCamera', 'xstate.error.actor.watchEngine'],
  ...['xstate.done.actor.cyclePower', 'xstate.error.actor.cyclePower'],
  ...['manifest.changed', 'engine.exited'],
]

/**
 * What steers the machine: of which kind a fault or a refusal is, not its words. How often a camera failed steers those
 * alone that can be reset.
 */
const steering = ({ context }: { readonly context: ContextFrom<typeof streamMachine> }) => {
  const { stored: wanted, applied, fault: noted, refusal, graph, failures, ...flags } = context
  const isPlugged = wanted.value.source.backend === 'v4l2'
  const runs = applied && [applied.value.map_id, applied.value.pose, applied.value.pipeline.outputs.length]
  const wrong = isPlugged ? [noted?.code, Math.min(failures, 4)] : noted !== null
  return [wanted.revision, runs, wrong, refusal?.code, graph !== null, flags]
}

const ofTheManifest = (input: StoredValue<CanonicalManifest>) => [
  { type: 'manifest.changed', stored: { ...input, revision: 2, value: { ...input.value, pose } } },
  { type: 'manifest.changed', stored: { ...input, revision: 3, value: { ...input.value, map_id: '2026-field' } } },
]

const ofTheCamera = [
  { type: 'camera.lost', fault },
  { type: 'camera.appeared' },
  { type: 'map.changed' },
  { type: 'engine.exited', fault },
  { type: 'xstate.error.actor.openCamera', error: { code: 'camera.missing', detail: 'It is not plugged in.' } },
  { type: 'xstate.error.actor.openCamera', error: fault },
  { type: 'xstate.error.actor.openCamera', error: { code: 'engine.hung', detail: 'No answer.' } },
  { type: 'xstate.error.actor.pingEngine', error: fault },
  { type: 'xstate.error.actor.watchEngine', error: fault },
]

const ofThePipeline = (input: StoredValue<CanonicalManifest>) => [
  {
    type: 'manifest.changed',
    stored: { ...input, revision: 4, value: { ...input.value, ...slots, pipeline: redrawn.value.pipeline } },
  },
  graphIs(near(2, input.value.pipeline)),
  { type: 'xstate.error.actor.followGraph', error: { code: 'pipeline.refused', detail: 'No.' } },
  { type: 'xstate.error.actor.followGraph', error: { code: 'storage.full', detail: 'No room.' } },
  { type: 'xstate.error.actor.followGraph', error: { code: 'engine.hung', detail: 'No answer.' } },
  { type: 'xstate.error.actor.switchPlan', error: { code: 'engine.bad_task', detail: 'No.' } },
  { type: 'xstate.error.actor.switchPlan', error: { code: 'engine.hung', detail: 'No answer.' } },
  { type: 'xstate.error.actor.openCamera', error: { code: 'engine.bad_task', detail: 'No such model.' } },
  { type: 'xstate.done.actor.openWithPrevious', output: redrawn.value.pipeline },
  { type: 'xstate.error.actor.openWithPrevious', error: { code: 'pipeline.refused', detail: 'None is known.' } },
  { type: 'xstate.error.actor.openWithPrevious', error: { code: 'engine.hung', detail: 'No answer.' } },
  { type: 'xstate.error.actor.openWithPrevious', error: fault },
  { type: 'xstate.done.actor.openSourceAlone', output: sourceAlone },
  { type: 'xstate.error.actor.openSourceAlone', error: { code: 'engine.hung', detail: 'No answer.' } },
  { type: 'xstate.error.actor.openSourceAlone', error: fault },
]

const everything = (input: StoredValue<CanonicalManifest>, samples: readonly Sample[], unreached: readonly string[]) =>
  walk(streamMachine, {
    input,
    samples,
    unreached,
    sameAs: (snapshot) => steering(snapshot as never),
    check: ({ before, event, snapshot }) => {
      for (const state of ['resetting', 'power-cycling'])
        if (before?.matches(state) && !snapshot.matches(state))
          assert.ok(ENDS_A_RESET.includes(event.type), `${event.type} ends a reset`)
      const { applied, fault: noted } = snapshot.context
      if (snapshot.matches('live'))
        assert.ok(applied && !noted, 'a live stream has taken up its stored and has no fault')
      if (snapshot.matches({ live: 'following' }))
        assert.ok(snapshot.context.graph?.stored, 'what is followed is there')
      if (snapshot.matches({ live: 'standing-in' })) assert.ok(snapshot.context.refusal, 'who stands in says for what')
      if (snapshot.matches('backing-off')) assert.ok(noted, 'who backs off says why')
      if (snapshot.matches('resetting')) assert.notEqual(noted?.code, 'camera.missing', 'what is away is not reset')
      if (snapshot.matches('power-cycling') && !before?.matches('power-cycling')) {
        assert.ok(before?.context.wasReset, 'a port is switched when the reset was in vain')
        assert.ok(!before.context.wasCycled, 'and once')
      }
      if (snapshot.status === 'done') assert.equal((snapshot.output as { outcome: string }).outcome, 'crashed')
    },
  })

test('a stream reaches all its states and is never stuck', () => {
  everything(
    stored,
    [...ofTheManifest(stored), ...ofTheCamera, ...ofThePipeline(stored)],
    ['resetting', 'power-cycling'],
  )
})

test('so does one with a camera that is plugged in, which is never left waiting for pictures', () => {
  const never = ['stalled.waiting', 'opening.camera.with-previous', 'opening.camera.source-alone', 'live.standing-in']
  everything(plugged, [...ofTheManifest(plugged), ...ofTheCamera, graphIs(null)], [...never, 'live.following'])
})

const from = (start: StoredValue<CanonicalManifest>, ...events: readonly object[]) => {
  let [snapshot] = initialTransition(streamMachine, start)
  const states: string[] = []
  for (const event of events) {
    snapshot = transition(streamMachine, snapshot, event as never)[0]
    states.push(typeof snapshot.value === 'string' ? snapshot.value : (Object.keys(snapshot.value)[0] as string))
  }
  return { snapshot, states }
}
const lost = { type: 'camera.lost', fault }
const waited = { type: 'xstate.after.backOff.stream.backing-off' }
const inVain = (code: string) => ({ type: 'xstate.error.actor.openCamera', error: { code, detail: 'x' } })

test('a camera that does not work is opened again, reset, its port switched, each once, then opened on and on', () => {
  const broken = inVain('camera.unreadable')
  const { states } = from(
    plugged,
    ...[lost, waited, broken, waited, broken, waited, { type: 'xstate.done.actor.resetCamera' }, broken, waited],
    ...[{ type: 'xstate.done.actor.cyclePower' }, broken, waited, broken, waited],
  )

  assert.deepEqual(states, [
    ...['backing-off', 'opening', 'backing-off', 'opening', 'backing-off', 'resetting', 'opening', 'backing-off'],
    ...['power-cycling', 'opening', 'backing-off', 'opening', 'backing-off', 'opening'],
  ])
})

test('a camera that is away is never reset, and opened at once when it appears', () => {
  const away = inVain('camera.missing')
  const { states } = from(plugged, lost, ...[1, 2, 3, 4, 5].flatMap(() => [waited, away]), { type: 'camera.appeared' })

  assert.ok(!states.includes('resetting'))
  assert.equal(states.at(-1), 'opening')
})

test('a camera that hangs while its engine works is opened again', () => {
  const { states, snapshot } = from(
    plugged,
    ...[{ type: 'frames.started' }, opened, { type: 'frames.stopped' }, { type: 'xstate.done.actor.pingEngine' }],
  )

  assert.deepEqual(states.slice(-2), ['stalled', 'backing-off'])
  assert.equal(snapshot.context.fault?.code, 'camera.silent')
})

test('a first frame that overtakes the answer to the opening still makes the stream live', () => {
  const { snapshot } = after({ type: 'frames.started' }, opened)

  assert.ok(snapshot.matches('live'))
})

test('a new mount is told to the running engine without opening the camera again', () => {
  const { snapshot, actions } = after({ type: 'frames.started' }, opened, { type: 'manifest.changed', stored: moved })

  assert.ok(snapshot.matches('live'))
  assert.equal(snapshot.context.applied?.revision, 2)
  assert.ok(actions.includes('sendMount'))
})

test('another field map opens the camera again', () => {
  const { snapshot } = after({ type: 'frames.started' }, opened, { type: 'manifest.changed', stored: elsewhere })

  assert.ok(snapshot.matches('opening'))
  assert.equal(snapshot.context.applied, null)
})

test('another part of the picture opens the camera again', () => {
  const crop = { x_px: 0, y_px: 0, width_px: 320, height_px: 240 }
  const cropped = { ...moved, value: { ...moved.value, crop } }
  const { snapshot } = after({ type: 'frames.started' }, opened, { type: 'manifest.changed', stored: cropped })

  assert.ok(snapshot.matches('opening'))
})

test('moving a synthetic camera opens it again, for its truth moves along', () => {
  const synthetic = (more: object): StoredValue<CanonicalManifest> => ({
    revision: 2,
    value: { ...canonical({ backend: 'synthetic' }), ...more },
  })
  const live = after({ type: 'manifest.changed', stored: synthetic({}) }, { type: 'frames.started' }, opened).snapshot
  assert.ok(live.matches('live'))

  const [moved] = transition(streamMachine, live, { type: 'manifest.changed', stored: synthetic({ pose }) })

  assert.ok(moved.matches('opening'))
})

test('a silent engine that answers a ping is a stalled camera; one that does not has crashed', () => {
  const silent = [{ type: 'frames.started' }, opened, { type: 'frames.stopped' }] as const

  assert.ok(after(...silent, { type: 'xstate.done.actor.pingEngine' } as never).snapshot.matches('stalled'))
  assert.equal(
    after(...silent, { type: 'xstate.error.actor.pingEngine', error: fault } as never).snapshot.value,
    'crashed',
  )
})

test('an opening that hangs is a crash, one that fails is tried again', () => {
  const failing = (code: string) =>
    after({ type: 'xstate.error.actor.openCamera', error: { code, detail: 'x' } } as never).snapshot.value

  assert.equal(failing('engine.hung'), 'crashed')
  assert.equal(failing('camera.missing'), 'backing-off')
})

test('another pipeline is made while the one of before goes on, and taken up when it is there', () => {
  const live = [{ type: 'frames.started' }, opened] as const
  const changed = { type: 'manifest.changed', stored: redrawn } as const
  const switching = after(...live, changed)
  const done = after(...live, changed, { type: 'xstate.done.actor.switchPlan' } as never)
  const refused = after(...live, changed, { type: 'xstate.error.actor.switchPlan', error: fault } as never)

  assert.ok(switching.snapshot.matches({ live: 'switching' }))
  assert.equal(switching.snapshot.context.applied?.revision, 1)
  assert.deepEqual([done.snapshot.value, done.snapshot.context.applied?.revision], [{ live: 'steady' }, 4])
  assert.deepEqual([refused.snapshot.value, refused.snapshot.context.applied?.revision], [{ live: 'standing-in' }, 1])
  assert.ok(refused.actions.includes('reportRefused'))
})

const refused = { type: 'xstate.error.actor.openCamera', error: { code: 'engine.bad_task', detail: 'No model.' } }
const noneBefore = { type: 'xstate.error.actor.openWithPrevious', error: { code: 'pipeline.refused', detail: 'None.' } }
const openedAlone = { type: 'xstate.done.actor.openSourceAlone', output: sourceAlone }
const refusedSwitch = { type: 'xstate.error.actor.switchPlan', error: { code: 'engine.bad_task', detail: 'No room.' } }
const switched = { type: 'xstate.done.actor.switchPlan' }
const frames = { type: 'frames.started' }

test('a pipeline that cannot be made gives way to the previous, else the source alone, and says why', () => {
  const before = { type: 'xstate.done.actor.openWithPrevious', output: redrawn.value.pipeline }
  const withBefore = from(stored, refused, before, frames).snapshot
  const alone = from(stored, refused, noneBefore, openedAlone, frames).snapshot

  assert.deepEqual([withBefore.value, alone.value], [{ live: 'standing-in' }, { live: 'standing-in' }])
  assert.deepEqual(withBefore.context.applied?.value.pipeline, redrawn.value.pipeline)
  assert.deepEqual([withBefore.context.applied?.revision, alone.context.fault], [null, null])
  assert.equal(withBefore.context.refusal?.detail, 'The pipeline of before goes on: No model.')
  assert.equal(alone.context.refusal?.detail, 'Pictures come, and nothing is computed of them: No model.')
})

test('a camera that cannot be opened is no fault of the pipeline, with whichever it is opened', () => {
  const missing = { code: 'camera.missing', detail: 'It is away.' }
  const failed = (...events: readonly object[]) => from(stored, ...events).snapshot

  for (const each of [
    failed({ type: 'xstate.error.actor.openCamera', error: missing }),
    failed(refused, { type: 'xstate.error.actor.openWithPrevious', error: missing }),
    failed(refused, noneBefore, { type: 'xstate.error.actor.openSourceAlone', error: missing }),
  ])
    assert.deepEqual([each.value, each.context.fault?.code], ['backing-off', 'camera.missing'])
})

test('what stands in ends when the pipeline can be made: after a while, a new model or a new graph', () => {
  const standingIn = [refused, noneBefore, openedAlone, frames]
  const again = { type: 'xstate.after.makeAgain.stream.live.standing-in' }
  const back = {
    type: 'manifest.changed',
    stored: { ...stored, revision: 7, value: { ...manifest, pipeline: sourceAlone } },
  }

  const [later, modelled, stillNot] = [
    from(stored, ...standingIn, again, switched).snapshot,
    from(stored, ...standingIn, { type: 'model.changed' }, switched).snapshot,
    from(stored, ...standingIn, again, refusedSwitch).snapshot,
  ]
  const wanted = from(stored, ...standingIn, back).snapshot

  for (const each of [later, modelled, wanted]) {
    assert.deepEqual([each.value, each.context.refusal], [{ live: 'steady' }, null])
    assert.equal(each.context.applied?.revision, each.context.stored.revision)
  }
  assert.deepEqual(stillNot.value, { live: 'standing-in' })
  assert.equal(stillNot.context.refusal?.detail, 'Pictures come, and nothing is computed of them: No room.')
})

test('a stored pipeline that cannot be made when switched to is told in the status, and tried again', () => {
  const changed = { type: 'manifest.changed', stored: redrawn }
  const { snapshot } = from(stored, opened, frames, changed, refusedSwitch)

  assert.deepEqual([snapshot.value, snapshot.context.applied?.revision], [{ live: 'standing-in' }, 1])
  assert.deepEqual(snapshot.context.refusal, {
    code: 'pipeline.refused',
    detail: 'The pipeline of before goes on: No room.',
  })
  const moved = { type: 'manifest.changed', stored: { revision: 5, value: { ...redrawn.value, pose } } }
  assert.equal(
    from(stored, opened, frames, changed, refusedSwitch, moved).snapshot.context.refusal?.code,
    'pipeline.refused',
  )
})

test('a switch that was cut short by pictures that stop is made when they come again', () => {
  const { snapshot } = from(
    stored,
    opened,
    frames,
    { type: 'manifest.changed', stored: redrawn },
    { type: 'frames.stopped' },
    frames,
  )

  assert.deepEqual(snapshot.value, { live: 'switching' })
})

test('who changes his mind while a pipeline is made has it made anew, also when he wants the one of before', () => {
  const back = { ...stored, revision: 5 }
  const { snapshot } = after(
    ...[{ type: 'frames.started' } as const, opened, { type: 'manifest.changed', stored: redrawn } as const],
    { type: 'manifest.changed', stored: back },
  )

  assert.ok(snapshot.matches({ live: 'switching' }))
  assert.equal(snapshot.context.stored.revision, 5)
})

const liveWith = (...events: readonly object[]) => from(slotted, { type: 'frames.started' }, opened, ...events).snapshot

test('a stored pipeline that was changed is tried once, and the one of before goes on when it is refused', () => {
  const refused = { type: 'xstate.error.actor.followGraph', error: { code: 'pipeline.refused', detail: 'No.' } }
  const followed = { type: 'xstate.done.actor.followGraph' }
  const changed = graphIs(near(2, redrawn.value.pipeline))

  assert.deepEqual(liveWith(graphIs(near(1, manifest.pipeline))).value, { live: 'steady' })
  assert.deepEqual(liveWith(changed).value, { live: 'following' })
  const after = liveWith(changed, refused)
  assert.deepEqual([after.value, after.context.refusal?.code], [{ live: 'steady' }, 'pipeline.refused'])
  assert.equal(after.context.stored, slotted)
  const again = liveWith(changed, refused, graphIs(near(3, redrawn.value.pipeline)))
  assert.deepEqual([again.value, again.context.refusal], [{ live: 'following' }, null])
  assert.deepEqual(liveWith(changed, followed).value, { live: 'steady' })
})

test('a stored pipeline with another name for people, or other places for an editor, makes no other plan', () => {
  const { pipeline } = manifest
  const renamed = { ...slotted, revision: 6, value: { ...slotted.value, pipeline: { ...pipeline, name: 'Near' } } }

  const moved = liveWith(graphIs(near(2, { ...pipeline, layout: { source: { x: 1, y: 2 } } })))
  const named = liveWith({ type: 'manifest.changed', stored: renamed })

  assert.deepEqual(moved.value, { live: 'steady' })
  assert.deepEqual([named.value, named.context.applied?.revision], [{ live: 'steady' }, 6])
})

test('the stored pipeline of another slot is not taken up before the stream is told that this one is active', () => {
  const other = graphIs({ graph_id: 'far', stored: { revision: 1, value: redrawn.value.pipeline } })
  const value = { ...redrawn.value, slots: [...slots.slots, { slot: 4, graph_id: 'far' }], active_slot: 4 }
  const told = { type: 'manifest.changed', stored: { revision: 6, value } }
  const switched = { type: 'xstate.done.actor.switchPlan' }

  assert.deepEqual(liveWith(other).value, { live: 'steady' })
  assert.deepEqual(liveWith(other, told).value, { live: 'switching' })
  assert.deepEqual(liveWith(other, told, switched).value, { live: 'steady' })
})

test('one that was changed while the camera was away is tried when pictures come', () => {
  const changed = graphIs(near(2, redrawn.value.pipeline))
  const { snapshot } = from(slotted, changed, { type: 'frames.started' }, opened)

  assert.deepEqual(snapshot.value, { live: 'following' })
})

test('a refused pipeline is tried again at each opening, an interrupted trial when pictures come again', () => {
  const refused = { type: 'xstate.error.actor.followGraph', error: { code: 'pipeline.refused', detail: 'No.' } }
  const changed = graphIs(near(2, redrawn.value.pipeline))

  const reopened = liveWith(changed, refused, lost, waited, opened, { type: 'frames.started' })
  const cut = liveWith(changed, { type: 'frames.stopped' }, { type: 'frames.started' })
  const done = liveWith(changed, refused, { type: 'frames.stopped' }, { type: 'frames.started' })

  assert.deepEqual(
    [reopened.value, cut.value, done.value],
    [{ live: 'following' }, { live: 'following' }, { live: 'steady' }],
  )
})

test('a pipeline that could not be stored is tried again after a while, and a refused one is not', () => {
  const full = { type: 'xstate.error.actor.followGraph', error: { code: 'storage.full', detail: 'No room.' } }
  const refused = { type: 'xstate.error.actor.followGraph', error: { code: 'pipeline.refused', detail: 'No.' } }
  const waitedAgain = { type: 'xstate.after.followAgain.stream.live.steady' }
  const changed = graphIs(near(2, redrawn.value.pipeline))
  const after = (why: object) => liveWith(changed, why, waitedAgain)

  assert.deepEqual([after(full).value, after(full).context.refusal?.code], [{ live: 'following' }, 'storage.full'])
  assert.deepEqual(after(refused).value, { live: 'steady' })
  const ordered = { revision: 6, value: { ...slotted.value, pipeline: redrawn.value.pipeline } }
  const taken = liveWith(changed, full, { type: 'manifest.changed', stored: ordered }, waitedAgain)
  assert.deepEqual([taken.value, taken.context.refusal], [{ live: 'switching' }, null])
})

test('a model that was stored anew makes another plan at once, after a switch, or with the next opening', () => {
  const other = { type: 'model.changed' }
  const switched = { type: 'xstate.done.actor.switchPlan' }
  const told = { type: 'manifest.changed', stored: redrawn }

  assert.deepEqual(liveWith(other).value, { live: 'switching' })
  assert.deepEqual(liveWith(other, switched).value, { live: 'steady' })
  assert.deepEqual(liveWith(told, other).value, { live: 'switching' })
  assert.deepEqual(liveWith(told, other, switched).value, { live: 'switching' })
  assert.deepEqual(liveWith(told, other, switched, switched).value, { live: 'steady' })
  const reopened = liveWith(lost, other, waited, opened, { type: 'frames.started' })
  assert.deepEqual(reopened.value, { live: 'steady' })
})

test('a refusal is over when somebody has the stream run the stored pipeline all the same', () => {
  const refused = { type: 'xstate.error.actor.followGraph', error: { code: 'pipeline.refused', detail: 'No.' } }
  const ordered = { revision: 6, value: { ...slotted.value, pipeline: redrawn.value.pipeline } }
  const moved = { revision: 6, value: { ...slotted.value, pose } }
  const after = (to: StoredValue<CanonicalManifest>) =>
    liveWith(graphIs(near(2, redrawn.value.pipeline)), refused, { type: 'manifest.changed', stored: to }).context
      .refusal

  assert.deepEqual([after(ordered), after(moved)?.code], [null, 'pipeline.refused'])
})
