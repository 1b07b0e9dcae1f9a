// The rows of updates, over real sockets.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { askNow } from '../../../actors/ask.ts'
import type { Problem } from '../../../api/problems/problem.ts'
import type { ActorNamed } from '../../../machines/supervision/actors.ts'
import type { UpdateState } from '../../../machines/update/update-state.ts'
import { noBundles, noUpdates } from '../../../native/update/none.ts'
import { BUNDLE_STORE, UPDATE_BACKEND } from '../../../native/update/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type FakeApi, listeningApi } from '../../support/api/api.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import type { ServiceParts } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const updating = async (t: Lifetime, service: ServiceParts = {}) => {
  const api = await listeningApi(t, {}, service)
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await fetch(api.url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: response.status, body: (await response.json()) as UpdateState & Problem }
  }
  const state = async (): Promise<UpdateState> => (await ask('GET', '/v1/ota/state')).body
  await until('the updater', async () => (await ask('GET', '/v1/ota/state')).status === 200)
  return { ...api, ask, state }
}

/** Uploads what the rows of uploads do, without them. */
const upload = async ({ fake }: FakeApi, text: string): Promise<void> => {
  const updater = fake.directory.actor('update') as ActorNamed<'update'>
  const begun = await askNow(updater, {
    type: 'update.receive',
    announced: { bytes: text.length, resumable: false },
  })
  assert.ok(begun.outcome === 'done' && begun.value, JSON.stringify(begun))
  const { id } = begun.value
  await Effect.runPromise(fake.resolve(BUNDLE_STORE).append(id, 0, Readable.from([Buffer.from(text)]), () => {}))
  assert.equal((await askNow(updater, { type: 'update.received', id })).outcome, 'done')
}

test('a device that no launcher has started says why it cannot be updated', async (t) => {
  const ports = [value(UPDATE_BACKEND, noUpdates('1.2.3')), value(BUNDLE_STORE, noBundles)]
  const { ask, state } = await updating(t, { ports })

  const { can_update, backend, running, detail } = await state()
  const applied = await ask('POST', '/v1/ota/apply', { when: 'now' })
  const cancelled = await ask('POST', '/v1/ota/cancel')

  assert.deepEqual([can_update, backend, running.version], [false, 'none', '1.2.3'])
  assert.match(detail, /started from a checkout/)
  for (const refused of [applied, cancelled])
    assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [503, 'update.unavailable', detail])
})

test('staging is gone, and says where to go instead', async (t) => {
  const { ask } = await updating(t)

  const { status, body } = await ask('POST', '/v1/ota/stage')

  assert.deepEqual([status, body.code], [410, 'update.gone'])
  assert.match(body.detail, /POST \/v1\/ota\/upload/)
})

test('a bundle that was uploaded is ready, is applied, and the restart is ordered', async (t) => {
  const api = await updating(t)
  const nothing = await api.ask('POST', '/v1/ota/apply', { when: 'now' })

  await upload(api, 'vedette 1.5.0')
  const ready = await until('it is ready', api.state, ({ state }) => state === 'ready')
  const applied = await api.ask('POST', '/v1/ota/apply', { when: 'now' })
  const restarting = await until('the restart', api.state, ({ state }) => state === 'restarting')
  const cancelled = await api.ask('POST', '/v1/ota/cancel')

  assert.deepEqual([nothing.status, nothing.body.code], [400, 'update.nothing_ready'])
  assert.deepEqual([ready.offered?.version, ready.failure, applied.status], ['1.5.0', null, 200])
  assert.deepEqual([restarting.other?.version, restarting.scheduled?.when], ['1.5.0', 'now'])
  assert.deepEqual([cancelled.status, cancelled.body.code], [400, 'update.not_cancellable'])
})

test('what is no bundle is refused with a sentence, which stays in the state', async (t) => {
  const api = await updating(t)

  await upload(api, 'something else')
  const failed = await until('it has failed', api.state, ({ state }) => state === 'failed')

  assert.deepEqual([failed.failure?.code, failed.failure?.state], ['update.refused', 'verifying'])
  assert.match(failed.detail, /no bundle of this service/)
})
