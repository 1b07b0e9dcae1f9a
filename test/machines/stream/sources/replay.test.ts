// Recordings as sources, as far as that is decided without files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { canonicalManifest } from '../../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest, StreamManifest } from '../../../../machines/stream/manifest.ts'
import { mediaErrors, modelUsedBy, playedBy } from '../../../../machines/stream/sources/replay.ts'

const playing = (media: string): CanonicalManifest => streamOf({ backend: 'file', media })

const streamOf = (source: StreamManifest['source'], more: Partial<StreamManifest> = {}): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'replay', source, ...more })
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

const looksWith = (model: string): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'look', type: 'classifier', params: { model } },
  ],
  edges: [{ from: 'source.colour', to: 'look.image' }],
  outputs: [{ port: 'seen', from: 'look.classes' }],
})
const noGraph = () => undefined

test('a model that the pipeline of a stream runs is in use', () => {
  const running = streamOf({ backend: 'synthetic' }, { pipeline: looksWith('a.onnx') })

  assert.equal(modelUsedBy('a.onnx', [running], noGraph)?.code, 'media.in_use')
  assert.match(modelUsedBy('a.onnx', [running], noGraph)?.detail ?? '', /choose another model there first/)
  assert.equal(modelUsedBy('b.onnx', [running], noGraph), undefined)
})

test('so is one that a stream would run when it is switched', () => {
  const slots = [{ slot: 3, graph_id: 'notes' }]
  const slotted = streamOf({ backend: 'synthetic' }, { slots })
  const away: CanonicalManifest = {
    ...streamOf({ backend: 'synthetic' }, { slots: [{ slot: 1, graph_id: 'tags' }], active_slot: 1 }),
    own_pipeline: streamOf({ backend: 'synthetic' }, { pipeline: looksWith('b.onnx') }).pipeline,
  }
  const graphOf = (id: string) => (id === 'notes' ? looksWith('a.onnx') : undefined)

  assert.match(modelUsedBy('a.onnx', [slotted], graphOf)?.detail ?? '', /notes, to which the slot 3 of .* refers, runs/)
  assert.equal(modelUsedBy('a.onnx', [away], graphOf), undefined)
  assert.equal(modelUsedBy('b.onnx', [away], graphOf)?.code, 'media.in_use')
})

const item = (name: string) => ({ name, path: `/data/media/${name}` })
const asItIs = (path: string) => path
