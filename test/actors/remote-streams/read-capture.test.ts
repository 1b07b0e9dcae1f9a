// What is read of how a peer captures, where it runs what this version does not know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingCameraCapture, readingCapture } from '../../../actors/remote-streams/read-capture.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { jsonAnswer } from '../../../native/peers/fake.ts'
import type { PeerTarget } from '../../../native/peers/port.ts'

const MOUNT = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const camera = { is_live: true, fps: 15, intrinsics: null, pose: MOUNT }
const capture = { revision: 3, alias: 'Front', map_id: 'demo', ...camera, pipeline: defaultGraph }

const partsFor = (says: object) => ({
  findPeer: () => ({ target: {} as PeerTarget }),
  ask: async () => jsonAnswer(200, says),
})

test('a pipeline that is not known here stands not in the way of what the camera is', async () => {
  const newer = { ...capture, alias: 'x'.repeat(500), pipeline: { nodes: { of: 'another version' } } }

  const whole = (await readingCapture(partsFor(newer))('back', 'front')) as Fault

  assert.equal(whole.code, 'peer.bad_answer')
  assert.deepEqual(await readingCameraCapture(partsFor(newer))('back', 'front'), camera)
})

test('a camera that makes no sense is none', async () => {
  const { code } = (await readingCameraCapture(partsFor({ ...capture, fps: 'fast' }))('back', 'front')) as Fault

  assert.equal(code, 'peer.bad_answer')
})
