// What a robot has done to its camera, by the operations of the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { makeRobotOperations } from '../../../actors/extcam/robot-operations.ts'
import type { SnapshotRequest } from '../../../actors/media/take-snapshot.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'

test('a picture that a robot has taken may be deleted when room is needed, and a refusal is told', async () => {
  const asked: [string, SnapshotRequest | undefined][] = []
  const full = { code: 'storage.full', detail: 'the disk is full' } as const
  const takeSnapshot = async (id: string, wish?: SnapshotRequest) => {
    asked.push([id, wish])
    return full
  }
  const stream = streamRuntime({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  const directory = { actor: () => undefined, settings: createSettingsStore() }

  const refusal = await Effect.runPromise(
    Effect.flip(makeRobotOperations(stream, { directory, takeSnapshot, unavailable: () => new Map() }).takePicture),
  )

  assert.deepEqual(asked, [['front', { automatic: true }]])
  assert.equal(refusal, full)
})
