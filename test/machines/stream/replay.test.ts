// Recordings as sources, as far as that is decided without files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import { mediaErrors, playedBy } from '../../../machines/stream/replay.ts'

const playing = (media: string): CanonicalManifest => streamOf({ backend: 'file', media })

const streamOf = (source: StreamManifest['source']): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'replay', source })
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

  assert.equal(playedBy(item('match.mp4'), streams, asItIs)?.code, 'media.in_use')
  assert.equal(playedBy(item('other.mp4'), streams, asItIs), undefined)
})

test('an item is in use also when a stream names the path of its file, whatever way that goes', () => {
  const linked = (path: string) => path.replace('/home/team/clips', '/data/media')
  const using = (source: StreamManifest['source'], name = 'match.mp4') =>
    playedBy(item(name), [streamOf(source)], linked)?.code

  assert.equal(using({ backend: 'file', path: '/data/media/match.mp4' }), 'media.in_use')
  assert.equal(using({ backend: 'file', path: '/home/team/clips/match.mp4' }), 'media.in_use')
  assert.equal(using({ backend: 'images', path: ['/tmp/a.jpg', '/data/media/b.jpg'] }, 'b.jpg'), 'media.in_use')
  assert.equal(using({ backend: 'file', path: '/data/media/other.mp4' }), undefined)
  assert.equal(using({ backend: 'synthetic' }), undefined)
})

const item = (name: string) => ({ name, path: `/data/media/${name}` })
const asItIs = (path: string) => path
