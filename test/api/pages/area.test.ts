// The page and the explorer, as files that a strict browser will run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SUCCESS, statusOf } from '../../../api/problems/faults.ts'
import { allEndpoints, fakeApi } from '../../support/api/api.ts'

const host = 'localhost'
const explorer = allEndpoints().filter(
  ({ hidden, path, kind }) => hidden && kind !== 'panel' && !['/', '/assets/:name'].includes(path),
)
const NOTHING = statusOf('route.not_found')
const HTML = 'text/html; charset=utf-8'

/** Every file that the page names. */
const assetsIn = (body: string): readonly string[] =>
  [...body.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, name]) => name as string)

test('the page is served with a strict policy and names its files by their content', async (t) => {
  const { app } = await fakeApi(t)

  const { headers, body } = await app.inject({ url: '/', headers: { host } })

  assert.equal(headers['content-type'], HTML)
  assert.equal(headers['cache-control'], 'no-cache')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /script-src 'self'; style-src 'self'; .*trusted-types/)
  assert.match(policy, /; frame-src http:\/\/[^ ;]+\/v1\/plugins\/;/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  assert.ok(assetsIn(body).length >= 2)
})

test('caches are told that the page differs by its origin too', async (t) => {
  const { app } = await fakeApi(t, { origins: ['https://dash.example'] })

  const { headers } = await app.inject({ url: '/', headers: { host, origin: 'https://dash.example' } })

  assert.equal(headers.vary, 'Origin, accept-encoding')
})

test('its files are kept by browsers for ever, and come as the browser takes them', async (t) => {
  const { app } = await fakeApi(t)
  const { body } = await app.inject({ url: '/', headers: { host } })

  for (const url of assetsIn(body)) {
    const plain = await app.inject({ url, headers: { host } })
    assert.match(String(plain.headers['cache-control']), /immutable/)
    assert.equal(plain.headers['content-encoding'], undefined)
    const gzip = await app.inject({ url, headers: { host, 'accept-encoding': 'gzip, br;q=0' } })
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload)
    const brotli = await app.inject({ url, headers: { host, 'accept-encoding': 'gzip, deflate, br, zstd' } })
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.deepEqual(brotliDecompressSync(brotli.rawPayload), plain.rawPayload)
    const again = await app.inject({ url, headers: { host, 'if-none-match': String(plain.headers.etag) } })
    assert.equal(again.statusCode, SUCCESS.unchanged)
  }
})

test('a browser that opens a room gets the page; programs hear that there is nothing', async (t) => {
  const { app } = await fakeApi(t)
  const page = await app.inject({ url: '/', headers: { host } })
  const opened = (url: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
    app.inject({ url, headers: { host, accept } })

  for (const url of ['/streams', '/streams/front?tab=controls', '/pipelines/of/front', '/no-room']) {
    assert.equal((await opened(url)).body, page.body, url)
    assert.equal((await opened(url, 'application/json')).statusCode, NOTHING, url)
  }
  for (const url of ['/v1/nothing', '/docs/nothing', '/extcam/nothing', '/favicon.ico', '/assets/nothing.js'])
    assert.equal((await opened(url)).statusCode, NOTHING, url)
})

test('no name leads out of the folder of the page', async (t) => {
  const { app } = await fakeApi(t)

  for (const name of ['..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json', 'made-of', '%00'])
    assert.equal((await app.inject({ url: `/assets/${name}`, headers: { host } })).statusCode, NOTHING, name)
})

test('every file of the explorer is served with its type and a strict policy', async (t) => {
  const { app } = await fakeApi(t)

  for (const { path, answer } of explorer) {
    const response = await app.inject({ url: path, headers: { host } })
    assert.equal(response.headers['content-type'], answer.mediaType, path)
    assert.match(String(response.headers['content-security-policy']), /script-src 'self'; style-src 'self'/)
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
    assert.ok(response.body.length > 100, path)
  }
})

test('the explorer holds no script or style of its own, and every file it names is there', async (t) => {
  const { app } = await fakeApi(t)
  const known = new Set(allEndpoints().map(({ path }) => path))
  const { body } = await app.inject({ url: '/docs', headers: { host } })

  assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  for (const [, name] of body.matchAll(/(?:src|href)="(\/[^"]*)"/g)) assert.ok(known.has(name as string), name)
})

test('the page of a locked device can ask who it is and sign in', async (t) => {
  const { app } = await fakeApi(t, { profile: 'locked' })
  const headers = { host, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }

  assert.equal((await app.inject({ url: '/', headers })).headers['content-type'], HTML)
  assert.deepEqual((await app.inject({ url: '/v1/session', headers })).json().may, [])
  const signedIn = await app.inject({ method: 'POST', url: '/v1/session', headers, payload: { token: 'good-token' } })
  assert.equal(signedIn.body, '')
})
