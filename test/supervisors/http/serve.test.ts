// When the API is made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createApi } from '../../../api/server/server.ts'
import { socketPair } from '../../../native/engine/service/socket-pair.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { serveApi } from '../../../supervisors/http/serve.ts'
import { fakeService } from '../../support/service.ts'

test('an engine that was started before the API is spawned before that is made', async (t) => {
  assert.ok(createApi, 'it is loaded: nothing waits for that')
  const { resolve } = await fakeService(t)
  let isSpawned = false
  let wasSpawned: boolean | undefined
  const areas = () => {
    wasSpawned = isSpawned
    return []
  }

  const pair = socketPair(() => {}).then(({ ours, theirs }) => {
    // what a spawn waits for
    isSpawned = true
    ours.destroy()
    theirs.destroy()
  })
  await Effect.runPromise(Effect.scoped(serveApi({ ...resolve(API), areas }, { host: '127.0.0.1', port: 0 })))

  await pair
  assert.equal(wasSpawned, true)
})
