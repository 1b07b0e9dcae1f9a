// JSON answers as they travel: what is packed, what is known again, and what is left alone.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { allEndpoints, fakeApi, listeningApi, pathOf } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'

const REGISTRY = '/v1/pipelines/registry'
const OPENAPI = '/openapi.json'

const api = async (t: TestContext) => {
  const { app } = await fakeApi(t)
  const ask = async (url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const {
      statusCode,
      headers: said,
      rawPayload,
    } = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
    })
    return { status: statusCode, said, bytes: rawPayload }
  }
  return { app, ask }
}

test('a large document is packed for who takes that, and it is the same one', async (t) => {
  const { ask } = await api(t)

  const plain = await ask(REGISTRY)
  const gzip = await ask(REGISTRY, { 'accept-encoding': 'gzip, deflate' })
  const br = await ask(REGISTRY, { 'accept-encoding': 'gzip, br' })

  assert.deepEqual([plain.said['content-encoding'], plain.said.vary], [undefined, 'accept-encoding'])
  assert.deepEqual([gzip.said['content-encoding'], br.said['content-encoding']], ['gzip', 'br'])
  assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
  assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
  assert.ok(gzip.bytes.length < plain.bytes.length / 3, `${gzip.bytes.length} of ${plain.bytes.length}`)
  for (const { said, bytes } of [plain, gzip, br]) assert.equal(said['content-length'], String(bytes.length))
})

test('nobody gets what it does not take, nor Brotli of what changes', async (t) => {
  const { ask, app } = await api(t)
  for (const id of ['a', 'b', 'c', 'd'])
    await app.inject({
      method: 'POST',
      url: '/v1/streams',
      headers: { host: 'localhost' },
      payload: { id, source: { backend: 'synthetic' } },
    })
  const codingOf = async (url: string, accepted: string) =>
    (await ask(url, { 'accept-encoding': accepted })).said['content-encoding']

  assert.equal(await codingOf(REGISTRY, 'identity'), undefined)
  assert.equal(await codingOf(REGISTRY, 'gzip;q=0'), undefined)
  assert.equal(await codingOf(REGISTRY, 'br;q=0, gzip;q=0.5'), 'gzip')
  assert.equal(await codingOf('/v1/streams', 'br'), undefined)
  assert.equal(await codingOf('/v1/streams', 'br, gzip'), 'gzip')
  assert.equal(await codingOf('/v1/session', 'gzip'), undefined) // it is small
})

test('HEAD tells the length that GET would have, packed or not', async (t) => {
  const { ask } = await api(t)

  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    const got = await ask(REGISTRY, headers)
    const head = await ask(REGISTRY, headers, 'HEAD')
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag'])
      assert.equal(head.said[name], got.said[name], name)
  }
})

test('who has a document that hardly ever changes gets the word that it is the same', async (t) => {
  const { ask } = await api(t)
  const lasting = allEndpoints().filter(({ isLasting }) => isLasting)
  assert.ok(lasting.length >= 6)

  for (const endpoint of lasting) {
    const first = await ask(pathOf(endpoint))
    const etag = String(first.said.etag)
    assert.match(etag, /^W\/"[\w-]{22}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(pathOf(endpoint), { 'if-none-match': known, 'accept-encoding': 'gzip' })
      assert.deepEqual([again.status, again.bytes.length, again.said.etag], [304, 0, etag], endpoint.path)
      assert.equal(again.said['content-type'], undefined)
    }
    assert.equal((await ask(pathOf(endpoint), { 'if-none-match': '"other"' })).status, 200)
  }
})

test('the description of the interface is packed as tightly as who asks takes it', async (t) => {
  const { ask } = await api(t)

  const plain = await ask(OPENAPI)
  const br = await ask(OPENAPI, { 'accept-encoding': 'br, gzip' })
  const gzip = await ask(OPENAPI, { 'accept-encoding': 'gzip' })

  assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
  assert.ok(br.bytes.length < gzip.bytes.length && gzip.bytes.length < plain.bytes.length / 10)
})

test('of many who ask at once for what changes, some get it packed and all the same', async (t) => {
  const { ask, app } = await api(t)
  for (const id of ['a', 'b', 'c', 'd'])
    await app.inject({
      method: 'POST',
      url: '/v1/streams',
      headers: { host: 'localhost' },
      payload: { id, source: { backend: 'synthetic' }, enabled: false },
    })

  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/v1/streams', { 'accept-encoding': 'gzip' })))

  const texts = answers.map(({ said, bytes }) =>
    (said['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
  )
  assert.equal(new Set(texts).size, 1)
  assert.ok(answers.some(({ said }) => said['content-encoding'] === 'gzip'))
  assert.ok(answers.some(({ said }) => said['content-encoding'] === undefined))
})

test('caches are told that an answer differs by its origin too, packed, known or plain', async (t) => {
  const { app } = await fakeApi(t, { origins: ['https://dash.example'] })
  const varyOf = async (url: string, headers: Readonly<Record<string, string>>) => {
    const { headers: said } = await app.inject({
      url,
      headers: { host: 'localhost', origin: 'https://dash.example', ...headers },
    })
    return { vary: said.vary, etag: String(said.etag) }
  }

  for (const url of [REGISTRY, OPENAPI]) {
    const { vary, etag } = await varyOf(url, { 'accept-encoding': 'gzip' })
    assert.equal(vary, 'Origin, accept-encoding', url)
    assert.equal((await varyOf(url, { 'if-none-match': etag })).vary, 'Origin, accept-encoding', url)
  }
  assert.equal((await varyOf('/v1/session', {})).vary, 'Origin')
})

const PACKED_WHEN_BUILT = new Set(['/', '/assets/:name'])

test('pictures, files and what never ends are sent as they are', async (t) => {
  const { app } = await busyApi(t)
  const plain = allEndpoints().filter(
    ({ method, path, answer, feed }) =>
      method === 'GET' &&
      !feed &&
      !answer.endless &&
      !/json/.test(answer.mediaType ?? 'json') &&
      !PACKED_WHEN_BUILT.has(path),
  )
  assert.ok(plain.length > 5)

  for (const endpoint of plain) {
    const headers = { host: 'localhost', 'accept-encoding': 'gzip, br' }
    const { headers: said } = await app.inject({ url: pathOf(endpoint), headers })
    assert.equal(said['content-encoding'], undefined, endpoint.path)
  }
})

test('a preview is not packed', async (t) => {
  const { url, fake } = await listeningApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })

  const response = await fetch(`${url}/v1/streams/front/preview`, { headers: { 'accept-encoding': 'gzip, br' } })

  assert.equal(response.headers.get('content-encoding'), null)
  assert.match(response.headers.get('content-type') ?? '', /^multipart\//)
  await response.body?.cancel()
})
