// What is told of cameras that came and went, also where something about them cannot be stored.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { Cameras } from '../../../actors/cameras/cameras.ts'
import { camerasActor } from '../../../actors/cameras/cameras-actor.ts'
import type { EventBus } from '../../../actors/events/event-bus.ts'
import { endEffects } from '../../../actors/run.ts'
import { cameraCollection } from '../../../machines/cameras/unit.ts'
import { createSettingsStore, noSettings } from '../../../machines/settings/store.ts'
import { unanswered } from '../../../native/cameras/answers.ts'
import { type FakeCamera, FakeCameras } from '../../../native/cameras/fake.ts'
import { unitOf } from '../../machines/cameras/nodes.ts'
import { until } from '../../support/until.ts'

const KNOWN: FakeCamera = { number: 0, port: '1' }
const UID = 'cam-xxxxxxxx'

/** A device that knows one camera, and whose settings cannot be written. */
const fullDevice = (t: TestContext) => {
  const port = new FakeCameras()
  const node = port.node(KNOWN)
  const unit = unitOf({ ...node, answer: unanswered(node.device, 'nobody asks') }, UID)
  const documents = { [cameraCollection.name]: { [UID]: { revision: 1, value: unit } } }
  const told: object[] = []
  const publish = (_kind: unknown, { resource_ref, data }: { resource_ref: object; data: object }) => {
    told.push({ ...resource_ref, ...data })
  }
  const actor = createActor(
    camerasActor({
      port,
      cameras: new Cameras(createSettingsStore({ ...noSettings, documents }), 4),
      events: { publish: publish as unknown as EventBus['publish'] },
      used: () => new Set(),
      write: () => Effect.fail({ code: 'storage.full', detail: 'the disk is full' }),
    }),
  )
  const crashes: unknown[] = []
  actor.subscribe({ error: (bug) => crashes.push(bug) })
  t.after(() => {
    assert.deepEqual(crashes, [])
    return Effect.runPromise(endEffects(actor))
  })
  return { actor, port, told }
}

test('a camera that was pulled out is told of also when another one cannot be stored', async (t) => {
  const { actor, port, told } = fullDevice(t)
  const device = port.plug(KNOWN)
  actor.start()
  await until('the camera', () => told.length)

  port.unplug(device)
  port.plug({ number: 1, port: '2' })
  await until('the fault', () => actor.getSnapshot().context.fault)

  assert.deepEqual(told, [
    { camera_uid: UID, present: true, device },
    { camera_uid: UID, present: false, device: null },
  ])
})
