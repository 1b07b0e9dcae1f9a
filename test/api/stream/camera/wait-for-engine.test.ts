// Waiting for an engine that is to go by what was stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForEngine } from '../../../../api/stream/camera/wait-for-engine.ts'
import { NO_LIMIT } from '../../../../machines/guard/levels.ts'
import { settle } from '../../../support/clock/clock.ts'
import { storedStream, streamRuntime } from '../../../support/engine/stream-runtime.ts'

const camera = { id: 'front', source: { backend: 'synthetic' } } as const
const STILL_WAITS = 'it still waits'

test('nobody waits for a stream that the resource guard has paused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = streamRuntime(camera)
  stream.guard.set({ limit: { ...NO_LIMIT, is_paused: true }, status: null })

  const answer = waitForEngine(stream, 2)

  assert.notEqual(await Promise.race([answer, settle().then(() => STILL_WAITS)]), STILL_WAITS)
})

test('one that is being opened is waited for until it has taken up what was stored', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stream = streamRuntime(camera)
  const answer = waitForEngine(stream, 2)
  assert.equal(await Promise.race([answer, settle().then(() => STILL_WAITS)]), STILL_WAITS)

  stream.engine.applied.set({ ...storedStream(2, camera), cameraRevision: 2 })

  assert.equal(await answer, null)
})
