// The page and the explorer, as files that a strict browser will run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEndpoints, fakeApi } from '../../support/api.ts'

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
