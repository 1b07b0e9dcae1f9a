import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { StoredValue } from '../../../machines/settings/store.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import type { SourceDocument } from '../../../machines/stream/source.ts'
import { type StreamEvent, streamMachine } from '../../../machines/stream/stream-machine.ts'
import { walk } from '../../support/walk.ts'

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
  ...['manifest.changed', 'engine.exited'],
]

const everything = (input: StoredValue<CanonicalManifest>, unreached: readonly string[]) =>
  walk(streamMachine, {
    ...{ input, unreached },
    samples: [
      { type: 'manifest.changed', stored: { ...input, revision: 2, value: { ...input.value, pose } } },
      { type: 'manifest.changed', stored: { ...input, revision: 3, value: { ...input.value, map_id: '2026-field' } } },
      {
        type: 'manifest.changed',
        stored: { ...input, revision: 4, value: { ...input.value, pipeline: redrawn.value.pipeline } },
      },
      { type: 'camera.lost', fault },
      { type: 'camera.appeared' },
      { type: 'xstate.error.actor.switchPlan', error: { code: 'engine.bad_task', detail: 'No.' } },
      { type: 'xstate.error.actor.switchPlan', error: { code: 'engine.hung', detail: 'No answer.' } },
      { type: 'xstate.error.actor.openCamera', error: { code: 'camera.missing', detail: 'It is not plugged in.' } },
      { type: 'engine.exited', fault },
      { type: 'xstate.error.actor.openCamera', error: fault },
      { type: 'xstate.error.actor.openCamera', error: { code: 'engine.hung', detail: 'No answer.' } },
      { type: 'xstate.error.actor.pingEngine', error: fault },
      { type: 'xstate.error.actor.watchEngine', error: fault },
    ],
    check: ({ before, event, snapshot }) => {
      if (before?.matches('resetting') && !snapshot.matches('resetting'))
        assert.ok(ENDS_A_RESET.includes(event.type), `${event.type} ends a reset`)
      const { applied, fault: noted } = snapshot.context
      if (snapshot.matches('live'))
        assert.ok(applied && !noted, 'a live stream has taken up its stored and has no fault')
      if (snapshot.matches('backing-off')) assert.ok(noted, 'who backs off says why')
      if (snapshot.matches('resetting')) assert.notEqual(noted?.code, 'camera.missing', 'what is away is not reset')
      if (snapshot.status === 'done') assert.equal((snapshot.output as { outcome: string }).outcome, 'crashed')
    },
  })

test('a stream reaches all its states and is never stuck', () => {
  everything(stored, ['resetting'])
})

test('so does one with a camera that is plugged in, which is never left waiting for pictures', () => {
  everything(plugged, ['stalled.waiting'])
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

test('a camera that does not work is opened again, then reset once, then opened again and again', () => {
  const broken = inVain('camera.unreadable')
  const { states } = from(
    plugged,
    ...[lost, waited, broken, waited, broken, waited, { type: 'xstate.done.actor.resetCamera' }, broken, waited],
  )

  assert.deepEqual(states, [
    ...['backing-off', 'opening', 'backing-off', 'opening', 'backing-off', 'resetting', 'opening', 'backing-off'],
    'opening',
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
  assert.ok(actions.includes('tellMount'))
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
  assert.deepEqual([refused.snapshot.value, refused.snapshot.context.applied?.revision], [{ live: 'steady' }, 1])
  assert.ok(refused.actions.includes('tellRefusal'))
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
