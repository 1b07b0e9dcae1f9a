// Addresses as nobody should write them: every row that takes one refuses the same ones, and says which field it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readBaseUrl } from '../../../machines/discovery/base-url.ts'
import { fakeApi } from '../../support/api/api.ts'

const ODD = [
  ...['http://a.123', 'http://[fe80::1%25eth0]:5800', 'http://[::::]', 'http://front..local', 'http://front:0'],
  ...['http://front:65536', 'http://me:secret@front', 'http://me@front', 'http://me:secret@front:99999', 'http://'],
  ...['front.local:5800', 'ws://front', 'http://front/?key=secret', 'http://front/#secret', 'http://front/path'],
]

/** Whether it takes a base_url: what it says of one, by the pointer to it. */
const ROWS: readonly (readonly [path: string, body: (base_url: string) => object, pointer: string])[] = [
  ['/v1/peers', (base_url) => ({ base_url }), '/base_url'],
  ['/v1/peers/probe', (base_url) => ({ base_url }), '/base_url'],
  ['/v1/peers/discover', (base_url) => ({ base_urls: ['http://10.0.0.1', base_url] }), '/base_urls/1'],
  ['/v1/peers/integrations/extvision/streams', (base_url) => ({ base_url }), '/base_url'],
]

test('an invalid address is refused everywhere, with its field named and its text not repeated', async (t) => {
  const { app } = await fakeApi(t)

  for (const [url, body, pointer] of ROWS)
    for (const base_url of ODD) {
      const answer = await app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload: body(base_url) })
      const { code, errors } = answer.json()
      const shown = `${url} ${base_url} ${answer.body}`
      assert.deepEqual([answer.statusCode, code, errors?.[0]?.pointer], [400, 'body.invalid', pointer], shown)
      assert.ok(!answer.body.includes('secret'), shown)
    }
})

test('no address is a bug of anybody', async (t) => {
  const { app } = await fakeApi(t)
  const places = fc.oneof(
    fc.webAuthority({ withIPv4Extended: true, withIPv6: true, withPort: true, withUserInfo: true }),
    fc.string(),
  )
  const texts = fc.tuple(fc.constantFrom('http://', 'https://', ''), places).map((parts) => parts.join(''))

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROWS), texts, async ([url, body], base_url) => {
      const payload = body(base_url)
      const answer = await app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload })
      const isRead = readBaseUrl(base_url).ok && base_url.length <= 512
      const isTaken = isRead && !(url.includes('extvision') && base_url.startsWith('https'))
      assert.equal(answer.statusCode < 300, isTaken, `${url} ${JSON.stringify(base_url)} ${answer.body}`)
      assert.ok(isTaken || answer.statusCode === 400, answer.body)
    }),
    { numRuns: 120 }, // a quarter of them at the most is registered, and 64 may be
  )
})

test('an address that would be too long once it is kept is refused with its field', async (t) => {
  const { app } = await fakeApi(t)
  const payload = { base_url: `http://10.0.0.9/${'é'.repeat(1_000)}`, integration: 'custom' }

  const answer = await app.inject({ method: 'POST', url: '/v1/peers', headers: { host: 'localhost' }, payload })

  assert.deepEqual([answer.statusCode, answer.json().errors?.[0]?.pointer], [400, '/base_url'])
})
