// The page and the explorer, as files that a strict browser will run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEndpoints, fakeApi } from '../../support/api/api.ts'

const pages = allEndpoints().filter(({ hidden }) => hidden)

test('every file is served with its type, a strict policy, and nothing to sniff', async (t) => {
  const { app } = await fakeApi(t)

  for (const { path, answer } of pages) {
    const response = await app.inject({ url: path, headers: { host: 'localhost' } })
    assert.equal(response.headers['content-type'], answer.mediaType, path)
    assert.match(String(response.headers['content-security-policy']), /script-src 'self'; style-src 'self'/)
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
    assert.ok(response.body.length > 100, path)
  }
})

test('no page holds script or style of its own, and every file it names is there', async (t) => {
  const { app } = await fakeApi(t)
  const known = new Set(allEndpoints().map(({ path }) => path))

  for (const { path } of pages.filter(({ answer }) => answer.mediaType?.startsWith('text/html'))) {
    const { body } = await app.inject({ url: path, headers: { host: 'localhost' } })
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
    for (const [, name] of body.matchAll(/(?:src|href)="(\/[^"]*)"/g)) assert.ok(known.has(name as string), name)
  }
})

test('every script that another one needs is there', async (t) => {
  const { app } = await fakeApi(t)
  const known = new Set(allEndpoints().map(({ path }) => path))

  for (const { path } of pages.filter(({ path }) => path.endsWith('.js') && !path.includes('swagger'))) {
    const { body } = await app.inject({ url: path, headers: { host: 'localhost' } })
    for (const [, name] of body.matchAll(/^import .* from '([^']+)'/gm)) assert.ok(known.has(name as string), name)
  }
})

test('every element that the scripts of the page look for by its id is on it', async (t) => {
  const { app } = await fakeApi(t)
  const text = async (url: string) => (await app.inject({ url, headers: { host: 'localhost' } })).body
  const page = await text('/')

  for (const script of ['/page.js', '/session.js', '/card.js']) {
    const ids = [...(await text(script)).matchAll(/(?:byId|getElementById)\('([\w-]+)'\)/g)].map(([, id]) => id)
    assert.ok(ids.length > 0, script)
    for (const id of ids) assert.ok(page.includes(`id="${id}"`), `${script} looks for ${id}`)
  }
})

test('the page of a locked device can ask who it is and sign in, and shows where', async (t) => {
  const { app } = await fakeApi(t, { profile: 'locked' })
  const origin = 'http://localhost'
  const headers = { host: 'localhost', origin, 'sec-fetch-site': 'same-origin' }

  assert.match((await app.inject({ url: '/', headers })).body, /<form [^>]*id="sign-in"[^>]*hidden/)
  assert.deepEqual((await app.inject({ url: '/v1/session', headers })).json().may, [])
  const signedIn = await app.inject({ method: 'POST', url: '/v1/session', headers, payload: { token: 'good-token' } })
  assert.equal(signedIn.body, '')
})
