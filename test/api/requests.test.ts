// A request that is sent again: the same answer, and nothing is done twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askNow } from '../../actors/ask.ts'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { allEndpoints, assertDeclared, assertProblem, type FakeApi, fakeApi, pathOf } from '../support/api/api.ts'
import { beforehand, busyApi } from '../support/api/busy-api.ts'

const synthetic = { source: { backend: 'synthetic' } }

const send = async (
  { app }: FakeApi,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Readonly<Record<string, string>> = {},
) => {
  const response = await app.inject({
    method,
    url,
    headers: { host: 'localhost', ...headers },
    ...(payload && { payload }),
  })
  const { etag, 'idempotent-replayed': isRepeat } = response.headers
  const contentType = String(response.headers['content-type'] ?? '')
  return { status: response.statusCode, contentType, body: response.body, etag, isRepeat: isRepeat === 'true' }
}

const first = <T extends { readonly isRepeat: boolean }>({ isRepeat: _, ...answer }: T) => answer

const commands = allEndpoints().filter(({ kind }) => kind === 'command')
const bodyOf = ({ path, body }: Endpoint): object =>
  path === '/v1/streams' ? synthetic : ((body?.example ?? {}) as object)

/** Whether it stands in the body, whatever is in a header. */
const needsKey = ({ body }: Endpoint): boolean =>
  (body?.schema as { readonly required?: readonly string[] } | undefined)?.required?.includes('request_id') ?? false

/** What requests have done: what was stored, and which children were started again. */
const done = ({ fake }: FakeApi) => [
  fake.documents.commits.length,
  fake.lines.filter(([, message]) => message.endsWith(' requested')).length,
]

/** As a process leaves them that was killed between the commit and the answer. */
const forgetAnswers = ({ fake: { documents } }: FakeApi): void => {
  for (const [key, kept] of documents.requests) documents.requests.set(key, { ...kept, answer: null })
}

/** Everything that is stored, every job, and all media. */
const deleteAll = async ({ fake: { directory }, app }: FakeApi): Promise<void> => {
  const headers = { host: 'localhost' }
  const { documents } = directory.settings.getSnapshot().context
  const settings = directory.actor('settings')
  assert.ok(settings)
  for (const [collection, stored] of Object.entries(documents))
    for (const id of Object.keys(stored)) await askNow(settings, { type: 'document.delete', collection, id })
  const jobs = async () => (await app.inject({ url: '/v1/jobs', headers })).json<{ items: { id: string }[] }>().items
  while ((await jobs()).length > 0)
    for (const { id } of await jobs()) await app.inject({ method: 'DELETE', url: `/v1/jobs/${id}`, headers })
  const media = (await app.inject({ url: '/v1/media', headers })).json<{ items: { name: string }[] }>().items
  for (const { name } of media) await app.inject({ method: 'DELETE', url: `/v1/media/${name}`, headers })
}

for (const endpoint of commands) {
  const { method, path } = endpoint as Endpoint & { method: 'POST' | 'PUT' | 'DELETE' }

  test(`${method} ${path} that is repeated gets the first answer again and does nothing`, async (t) => {
    const api = await busyApi(t)
    await beforehand[path]?.(api.fake)
    const body = { ...bodyOf(endpoint), request_id: 'a-1' }

    const once = await send(api, method, pathOf(endpoint), body)
    const before = done(api)
    const again = await send(api, method, pathOf(endpoint), body)
    const bare = needsKey(endpoint) ? body : bodyOf(endpoint)
    const byHeader = await send(api, method, pathOf(endpoint), bare, { 'idempotency-key': '"a-1"' })

    assert.ok(once.status < 300 && !once.isRepeat, once.body)
    for (const repeat of [again, byHeader]) assert.deepEqual(repeat, { ...once, isRepeat: true })
    assert.deepEqual(done(api), before)

    await t.test('nor is it refused when nobody heard the answer and all that it left is deleted', async () => {
      const [kept] = [...api.fake.documents.requests.values()].filter(({ key }) => /^(nobody )?a-1$/.test(key))
      assert.ok(kept)
      const { written } = kept
      if (!written) return // nothing of it is kept before it is answered
      forgetAnswers(api)
      await deleteAll(api)
      const emptied = done(api)

      const unheard = await send(api, method, pathOf(endpoint), body)
      const oncemore = await send(api, method, pathOf(endpoint), body)

      assert.ok(unheard.status < 300 && unheard.isRepeat, unheard.body)
      assertDeclared(endpoint, unheard)
      if (endpoint.answer.also && unheard.body === '')
        assert.equal(unheard.etag, written.revision > 0 ? `"${written.revision}"` : undefined)
      else if (unheard.body === '') assert.notEqual(unheard.etag, '"0"')
      assert.deepEqual(oncemore, unheard)
      assert.deepEqual(done(api), emptied)
    })
  })
}

test('without a key, or with another, a request is another request', async (t) => {
  const api = await fakeApi(t)

  const answers = [
    await send(api, 'POST', '/v1/streams', synthetic),
    await send(api, 'POST', '/v1/streams', synthetic),
    await send(api, 'POST', '/v1/streams', { ...synthetic, request_id: 'a' }),
    await send(api, 'POST', '/v1/streams', { ...synthetic, request_id: 'b' }),
    await send(api, 'POST', '/v1/streams', { request_id: 'b', ...synthetic }),
  ]

  const ids = answers.map(({ body }) => JSON.parse(body).id)
  assert.deepEqual(ids, ['stream', 'stream-2', 'stream-3', 'stream-4', 'stream-4'])
})

test('a key that stands for another request is refused: another body, path, method, revision or sender', async (t) => {
  const api = await busyApi(t)
  const headers = { 'idempotency-key': 'a' }
  const first = await send(api, 'POST', '/v1/device/nt4', { target: 'off' }, headers)

  const others = [
    await send(api, 'POST', '/v1/device/nt4', { target: 'serve' }, headers),
    await send(api, 'POST', '/v1/device/nt4', { target: 'off', expected_revision: 0 }, headers),
    await send(api, 'POST', '/v1/device/nt4', { target: 'off' }, { ...headers, 'if-match': '"0"' }),
    await send(api, 'POST', '/v1/device/nt4', { target: 'off' }, { ...headers, authorization: 'Bearer good-token' }),
    await send(api, 'POST', '/v1/streams', synthetic, headers),
    await send(api, 'DELETE', '/v1/streams/front', undefined, headers),
  ]

  assert.equal(first.status, 204)
  for (const other of others) assertProblem(other, 'request_id.reused')
})

test('two at once are carried out once, and both get the answer', async (t) => {
  const api = await fakeApi(t)
  const body = { ...synthetic, alias: 'Front', request_id: 'a' }

  const answers = await Promise.all([1, 2, 3].map(() => send(api, 'POST', '/v1/streams', body)))
  const another = await Promise.all([
    send(api, 'POST', '/v1/streams', { ...synthetic, request_id: 'b' }),
    send(api, 'POST', '/v1/device/nt4', { target: 'off', request_id: 'b' }),
  ])

  assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
  assert.deepEqual(answers.map(({ isRepeat }) => isRepeat).sort(), [false, true, true])
  assert.deepEqual(Object.keys(api.fake.directory.settings.getSnapshot().context.documents.streams ?? {}), [
    'front',
    'stream',
  ])
  assertProblem(another[1] as (typeof another)[0], 'request_id.reused')
})

test('a refusal is an answer too, and stays the answer; what may be tried again is tried again', async (t) => {
  const api = await fakeApi(t)
  const body = { x_m: 0, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0, request_id: 'a' }
  const refused = await send(api, 'PUT', '/v1/streams/front/pose', body)
  await send(api, 'POST', '/v1/streams', { ...synthetic, id: 'front' })
  const again = await send(api, 'PUT', '/v1/streams/front/pose', body)

  const other = { ...body, request_id: 'b' }
  api.fake.documents.fault = { code: 'storage.full', detail: 'no room' }
  const full = await send(api, 'PUT', '/v1/streams/front/pose', other)
  api.fake.documents.fault = null
  const later = await send(api, 'PUT', '/v1/streams/front/pose', other)

  assertProblem(refused, 'stream.not_found')
  assert.deepEqual(first(again), first(refused))
  assertProblem(full, 'storage.full')
  assert.deepEqual([later.status, later.isRepeat], [204, false])
})

test('a write that was committed and never answered is answered from what it left, and not repeated', async (t) => {
  const api = await fakeApi(t)
  const body = { ...synthetic, request_id: 'a' }
  const once = await send(api, 'POST', '/v1/streams', body)
  const kept = api.fake.documents.requests.get('a')
  assert.ok(kept)
  api.fake.documents.requests.set('a', { ...kept, answer: null }) // as a process leaves it that was killed right then

  const again = await send(api, 'POST', '/v1/streams', body)

  assert.deepEqual(again, { ...once, isRepeat: true })
  assert.equal(api.fake.documents.commits.length, 1)
})

test('what was carried out and is gone is answered as done by the next run of the service too', async (t) => {
  const body = { ...synthetic, id: 'front', request_id: 'a' }
  const { fake, ...before } = await fakeApi(t)
  const created = await send({ fake, ...before }, 'POST', '/v1/streams', body)
  forgetAnswers({ fake, ...before })
  await fake.drop('front')
  const api = await fakeApi(t, {}, { documents: fake.documents })

  const again = await send(api, 'POST', '/v1/streams', body)
  const another = await send(api, 'POST', '/v1/streams', { ...body, request_id: 'b' })

  assert.deepEqual([again.status, again.body, again.etag, again.isRepeat], [204, '', created.etag, true])
  assert.equal(another.status, created.status)
})

test('a key that is none is refused, and so are two that differ', async (t) => {
  const api = await fakeApi(t)

  for (const key of ['', ' ', '""', 'a b', 'é', 'x'.repeat(129)])
    assertProblem(
      await send(api, 'DELETE', '/v1/errors', undefined, { 'idempotency-key': key }),
      'request_id.malformed',
    )
  const two = await send(api, 'DELETE', '/v1/errors', { request_id: 'a' }, { 'idempotency-key': 'b' })
  assertProblem(two, 'request_id.malformed')
  assertProblem(await send(api, 'DELETE', '/v1/errors', { request_id: 'a b' }), 'body.invalid')
})
