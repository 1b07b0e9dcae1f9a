// What the kinds of source are, asked without their names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../../machines/stream/canonical-manifest.ts'
import { type CanonicalSource, SOURCE_KINDS, type SourceDocument } from '../../../../machines/stream/sources/source.ts'
import {
  attachedStreamOf,
  fpsOfSource,
  isComputed,
  keptOfSource,
  ownCameraOf,
  pathsOf,
  recordingOf,
  shownSource,
  sizeOfSource,
  sourceErrors,
  waitsForPipeline,
} from '../../../../machines/stream/sources/traits.ts'

const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const

const SENT = {
  synthetic: { backend: 'synthetic' },
  images: { backend: 'images', path: ['/data/a.png', '/data/b.png'], pace: 'lossless' },
  v4l2: { backend: 'v4l2', camera_uid: 'cam-k3f7q2ma', ...mode },
  url: { backend: 'url', url: 'http://10.0.0.9/video?key=1', username: 'team', password: 'secret' },
  file: { backend: 'file', media: 'front-1.mp4' },
  peer: { backend: 'peer', peer_id: 'peer-1', stream_id: 'front', fps: 30 },
} satisfies { readonly [Backend in SourceDocument['backend']]: SourceDocument & { readonly backend: Backend } }

const wholeOf = (source: SourceDocument): CanonicalSource => {
  const canonical = canonicalManifest({ source })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return canonical.manifest.source
}

const kindsThat = (holds: (source: CanonicalSource) => unknown): readonly string[] =>
  Object.values(SENT).flatMap((source) => (holds(wholeOf(source)) ? [source.backend] : []))

test('each kind is declared once, under the name that its schemas have', () => {
  assert.deepEqual(SOURCE_KINDS.map(({ backend }) => backend).toSorted(), Object.keys(SENT).toSorted())
  for (const { backend, sent, whole } of SOURCE_KINDS)
    assert.deepEqual([sent.properties.backend.const, whole.properties.backend.const], [backend, backend])
})

test('only a camera that is plugged in has a mode, and only a peer stands for an order', () => {
  assert.deepEqual(kindsThat(ownCameraOf), ['v4l2'])
  assert.deepEqual(kindsThat(attachedStreamOf), ['peer'])
  assert.deepEqual(kindsThat(isComputed), ['synthetic'])
  assert.deepEqual(kindsThat(waitsForPipeline), ['images'])
  assert.deepEqual(ownCameraOf(SENT.v4l2), SENT.v4l2)
})

test('the size is known of what is computed, and of a camera whose mode is said', () => {
  assert.deepEqual(kindsThat(sizeOfSource), ['synthetic', 'v4l2'])
  assert.deepEqual(sizeOfSource(wholeOf(SENT.synthetic)), { width_px: 1280, height_px: 800 })
  assert.equal(sizeOfSource({ backend: 'v4l2', camera_uid: 'cam-k3f7q2ma', width_px: 640 }), undefined)
})

test('the rate is known of all but a file, as far as the manifest says it', () => {
  assert.deepEqual(kindsThat(fpsOfSource), ['synthetic', 'images', 'v4l2', 'url', 'peer'])
  assert.equal(fpsOfSource(wholeOf({ backend: 'images', path: ['/data/a.png'], fps: 12 })), 12)
  assert.equal(fpsOfSource({ backend: 'v4l2', camera_uid: 'cam-k3f7q2ma' }), undefined)
})

test('files are named where they stand in the manifest, a recording by its name', () => {
  assert.deepEqual(
    kindsThat((source) => pathsOf(source).length > 0),
    ['images'],
  )
  assert.deepEqual(pathsOf({ backend: 'file', path: '/data/a.mp4' }), [
    { pointer: '/source/path', path: '/data/a.mp4' },
  ])
  assert.deepEqual(
    pathsOf(SENT.images).map(({ pointer }) => pointer),
    ['/source/path/0', '/source/path/1'],
  )
  assert.deepEqual(kindsThat(recordingOf), ['file'])
  assert.equal(recordingOf({ backend: 'file', path: '/data/a.mp4' }), undefined)
})

test('what a schema cannot say is told of the kind alone', () => {
  const wrong = (source: SourceDocument) => sourceErrors(source).map(({ pointer }) => pointer)

  for (const source of Object.values(SENT)) assert.deepEqual(wrong(source), [], source.backend)
  assert.deepEqual(wrong({ backend: 'file' }), ['/source/media'])
  assert.deepEqual(wrong({ backend: 'file', media: 'a.mp4', path: '/a.mp4' }), ['/source/path'])
  assert.deepEqual(
    wrong({ backend: 'v4l2', camera_uid: 'cam-k3f7q2ma', pixel_format: 'mjpeg', width_px: 1280, height_px: 720 }),
    ['/source/fps'],
  )
  assert.deepEqual(wrong({ backend: 'url', url: 'http://10.0.0.9/', password: 'secret' }), ['/source/username'])
})

test('nobody is shown a password, or where the pictures of a camera on the network have theirs', () => {
  const shown = shownSource(wholeOf(SENT.url))

  assert.deepEqual(shown, { backend: 'url', username: 'team', fps: 30, url: 'http://10.0.0.9/video?...' })
  assert.deepEqual(shownSource(wholeOf(SENT.v4l2)), SENT.v4l2)
})

test('a password stays with its address, and nothing of one kind becomes another', () => {
  const source = wholeOf(SENT.url)

  assert.deepEqual(keptOfSource(source, { fps: 15 }), source)
  assert.deepEqual(keptOfSource(source, { url: 'http://10.0.0.8/' }), { backend: 'url', url: SENT.url.url, fps: 30 })
  assert.deepEqual(keptOfSource(source, { backend: 'synthetic' }), {})
})
