// Which streams of peers are worked on here: as the stored streams say, and for as long as something of one may still
// run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RemoteStreams } from '../../../actors/remote-streams/remote-streams.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { PeerSource } from '../../../machines/stream/sources/peer.ts'

const source: PeerSource = { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 15 }
const lost = { code: 'camera.lost', detail: 'http://127.0.0.1:4000/ has ended' } as const

const attachedAs = (id: string) => ({ id, manifest: { source } }) as StreamRuntime
const ownCamera = { id: 'own', manifest: { source: { backend: 'synthetic' } } } as StreamRuntime

/** `store` says which streams are stored from now on. */
const following = (...first: readonly StreamRuntime[]) => {
  let stored = first
  let tell = () => {}
  let changes = 0
  const remote = new RemoteStreams({
    streams: {
      all: () => stored,
      subscribe: (changed) => {
        tell = changed
        return () => {}
      },
    },
  })
  remote.subscribe(() => {
    changes += 1
  })
  const store = (...streams: readonly StreamRuntime[]) => {
    stored = streams
    tell()
  }
  return { remote, store, changes: () => changes }
}

test('what is stored at the start is attached, and a stream with a camera of its own is none of these', () => {
  const { remote } = following(ownCamera, attachedAs('back-front'))

  const found = remote
    .all()
    .map(({ peer_id, stream_id, stream, isAttached }) => [peer_id, stream_id, stream.id, isAttached])

  assert.deepEqual(found, [['back', 'front', 'back-front', true]])
})

test('one that is not stored any more stays until somebody says that nothing of it runs', () => {
  const { remote, store, changes } = following(attachedAs('back-front'))
  const entry = remote.get('back', 'front')
  let told = 0
  entry?.changed.add(() => {
    told += 1
  })

  store(ownCamera)
  store(ownCamera)
  const meanwhile = remote.get('back', 'front')
  if (entry) remote.released(entry)

  assert.deepEqual([meanwhile, entry?.isAttached, told], [entry, false, 1])
  assert.deepEqual([remote.all(), changes()], [[], 1])
})

test('one that is attached again before that is the same, and is not let go by who was about to', () => {
  const { remote, store } = following(attachedAs('back-front'))
  const entry = remote.get('back', 'front')

  store()
  store(attachedAs('back-front-2'))
  if (entry) remote.released(entry)

  assert.equal(remote.get('back', 'front'), entry)
  assert.deepEqual([entry?.isAttached, entry?.stream.id], [true, 'back-front-2'])
})

test('an engine is told of the inlet alone, and its faults are told in words that name the peer', () => {
  const { remote } = following(attachedAs('back-front'))
  const entry = remote.get('back', 'front')
  const before = remote.sourceOf(source)
  if (entry) entry.inlet = 'http://127.0.0.1:4000/?key=secret'

  const after = remote.sourceOf(source)
  const ended = remote.explained(source, lost)
  if (entry) entry.refusal = { code: 'peer.unreachable', detail: 'back does not answer' }
  const away = remote.explained(source, lost)
  const hung = remote.explained(source, { code: 'engine.hung', detail: 'it hangs' })

  assert.equal('code' in before && before.code, 'camera.missing')
  assert.deepEqual(after, { backend: 'url', url: 'http://127.0.0.1:4000/?key=secret', fps: 15 })
  assert.match(ended.detail, /^No pictures come of front of the peer back: they have ended\./)
  assert.match(away.detail, /: back does not answer\./)
  assert.equal(hung.detail, 'it hangs')
})
