// A manifest that somebody changes as a whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import { patchedManifest } from '../../../machines/stream/patched-manifest.ts'

const manifestOf = (more: Partial<StreamManifest> = {}): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'front', source: { backend: 'synthetic' }, ...more })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return canonical.manifest
}

const patched = (stored: CanonicalManifest, patch: Readonly<Record<string, unknown>>) => {
  const answer = patchedManifest(stored, patch)
  if ('code' in answer) throw new Error(answer.detail)
  return answer
}

const refused = (patch: Readonly<Record<string, unknown>>) => {
  const answer = patchedManifest(manifestOf(), patch)
  return 'code' in answer ? answer.errors?.map(({ pointer }) => pointer) : 'taken'
}

test('what is not said stays, null takes away, and what an administrator granted is not sent along', () => {
  const stored = { ...manifestOf({ priority: 9, alias: 'Bow' }), media_grants: ['/home/team'] }

  const { media_grants, alias, priority, source } = patched(stored, { alias: null, source: { fps: 15 } })

  assert.deepEqual([media_grants, alias, priority], [undefined, undefined, 9])
  assert.deepEqual(source, { ...stored.source, fps: 15 })
})

test('a stream keeps its id, and slots have a command of their own', () => {
  assert.deepEqual(refused({ id: 'side' }), ['/id'])
  assert.deepEqual(refused({ id: null }), ['/id'])
  assert.deepEqual(refused({ active_slot: 1, slots: null }), ['/slots', '/active_slot'])
  assert.equal(refused({ id: 'front', alias: 'Bow' }), 'taken')
})

test('what does not fit is refused with its place', () => {
  assert.deepEqual(refused({ priority: 11 }), ['/priority'])
  assert.deepEqual(refused({ colour: 'red' }), ['/colour'])
  // what is missing then is told by the check of the whole manifest
  assert.deepEqual(refused({ source: null }), 'taken')
})

test('another backend has nothing of the former', () => {
  assert.deepEqual(patched(manifestOf(), { source: { backend: 'images', path: '/p' } }).source, {
    backend: 'images',
    path: '/p',
  })
})

test('the password of a camera goes to no other address than the one for which it was given', () => {
  const url = 'http://10.12.34.11/video'
  const stored = manifestOf({ source: { backend: 'url', url, username: 'root', password: 'secret' } })
  const sourceAfter = (source: object) => JSON.stringify(patched(stored, { source }).source)

  assert.ok(!sourceAfter({ url: 'http://10.12.34.66/video' }).includes('secret'))
  assert.ok(!sourceAfter({ url: 'http://10.12.34.66/video' }).includes('root'))
  assert.ok(sourceAfter({ url }).includes('secret'))
  assert.ok(sourceAfter({ url: 'http://10.12.34.66/video', username: 'root', password: 'other' }).includes('other'))
})
