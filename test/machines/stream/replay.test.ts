// Recordings as sources, as far as that is decided without files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import { mediaErrors, playedBy } from '../../../machines/stream/replay.ts'

const playing = (media: string, id = 'replay'): CanonicalManifest => {
  const canonical = canonicalManifest({ id, source: { backend: 'file', media } })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return canonical.manifest
}

test('a recording is played once at its own pace when nothing else is said', () => {
  assert.deepEqual(playing('match.mp4').source, { backend: 'file', media: 'match.mp4', pace: 'native', loop: false })
})

test('only a recording that is whole can be a source', () => {
  const { source } = playing('match.mp4')
  const errors = (item: Parameters<typeof mediaErrors>[1]) => mediaErrors(source, item).map(({ message }) => message)

  assert.deepEqual(
    errors(() => ({ kind: 'recording', state: 'ready' })),
    [],
  )
  assert.match(errors(() => ({ kind: 'recording', state: 'writing' }))[0] ?? '', /still being written/)
  assert.match(errors(() => ({ kind: 'picture', state: 'ready' }))[0] ?? '', /is a picture/)
  assert.match(errors(() => undefined)[0] ?? '', /no such media item/)
})

test('an item that a stream plays is in use, be the stream turned off or not', () => {
  const streams = [{ ...playing('match.mp4'), enabled: false }]

  assert.equal(playedBy('match.mp4', streams)?.code, 'media.in_use')
  assert.equal(playedBy('other.mp4', streams), undefined)
})
