// Whose word counts for a stream of a peer, on every path.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import { remoteStreamMachine } from '../../../machines/remote-streams/remote-stream-machine.ts'
import { type Sample, type Step, walk } from '../../support/walk.ts'

const full: Fault = { code: 'storage.full', detail: 'no room' }
const done = (id: string): Sample => ({ type: `xstate.done.actor.${id}` })
const failed = (id: string): Sample => ({ type: `xstate.error.actor.${id}`, error: full })
const set = (compute: string): Sample => ({ type: 'compute.set', compute })
const seen = (source: object | null): Sample => ({ type: 'source.seen', source })
const live = { revision: 3, status: 'live' }
const changed = { revision: 4, status: 'live' }

const after = (...events: readonly Sample[]) =>
  events.reduce(
    (snapshot, event) => transition(remoteStreamMachine, snapshot, event as never)[0],
    initialTransition(remoteStreamMachine)[0],
  )
const following = [set('local_attach'), seen(live), done('mirror')] as const

test('on all paths a pipeline here has one owner, and gets pictures or ends only while this device decides', () => {
  const { configurations } = walk(remoteStreamMachine, {
    samples: [
      ...['local_attach', 'proxy'].map(set),
      ...[null, live, changed].map(seen),
      ...['mirror', 'detach'].flatMap((id) => [done(id), failed(id)]),
      done('release'),
    ],
    check: ({ before, event, snapshot, actions }: Step) => {
      const has = (id: string) => snapshot.children[id] !== undefined
      const isLocal = snapshot.matches('local')
      const isAttached = snapshot.matches({ local: 'local_attach' })
      assert.notEqual(isLocal, snapshot.matches('source'), 'one of the two has it, never both and never none')
      assert.equal(has('openInlet'), isAttached, 'pictures for an engine here')
      assert.equal(has('release'), snapshot.matches({ local: 'releasing' }))
      for (const id of ['mirror', 'detach', 'release']) assert.ok(isLocal || !has(id), id)
      if (snapshot.matches({ local: { local_attach: 'stale' } })) assert.equal(snapshot.context.source, null)
      if (snapshot.matches({ local: { local_attach: 'following' } })) assert.notEqual(snapshot.context.source, null)
      // It goes back to its device only when somebody has looked that nothing of it is left here.
      const wasLocal = before?.matches('local') ?? false
      if (wasLocal && !isLocal) assert.equal(event.type, 'xstate.done.actor.release')
      assert.equal(
        actions.some(({ type }) => type === 'reportReleased'),
        wasLocal && !isLocal,
      )
    },
  })

  assert.ok(configurations > 12)
})

test('a stream of a peer begins as a proxy, and its device is its source', () => {
  assert.deepEqual(after().value, { source: 'proxy' })
})

test('what its source says is taken over before it is followed, and again whenever that is another', () => {
  const attached = after(set('local_attach'), seen(live))
  const other = after(...following, seen(changed))
  const same = after(...following, seen({ ...live }))

  assert.deepEqual(attached.value, { local: { local_attach: 'mirroring' } })
  assert.deepEqual(other.value, { local: { local_attach: 'mirroring' } })
  assert.deepEqual(same.value, { local: { local_attach: 'following' } })
})

test('when the source is away the order stays, and it goes on by itself', () => {
  const away = after(...following, seen(null))
  const back = after(...following, seen(null), seen(live), done('mirror'))

  assert.deepEqual(away.value, { local: { local_attach: 'stale' } })
  assert.deepEqual(back.value, { local: { local_attach: 'following' } })
})

test('a source that does not say how it captures is asked again, while the stream asks for pictures', () => {
  const [behind, actions] = transition(
    remoteStreamMachine,
    after(set('local_attach'), seen(live)),
    failed('mirror') as never,
  )

  assert.deepEqual(behind.value, { local: { local_attach: 'behind' } })
  assert.ok(actions.some(({ type }) => type === 'callStream'))
})

test('going back ends the engine first; whoever wants it here again meanwhile has it here', () => {
  const releasing = after(...following, set('proxy'))
  const again = after(...following, set('proxy'), set('local_attach'))
  const back = after(...following, set('proxy'), done('release'))

  assert.deepEqual(releasing.value, { local: 'releasing' })
  assert.deepEqual(again.value, { local: { local_attach: 'mirroring' } })
  assert.deepEqual(back.value, { source: 'proxy' })
})

test('of a peer that is forgotten the stream here is, too, however often that has to be tried', () => {
  const waiting = after(...following, { type: 'peer.deleted' }, failed('detach'))
  const again = after(...following, { type: 'peer.deleted' }, failed('detach'), {
    type: 'xstate.after.detachAgain.remote-stream.local.local_attach.detaching.waiting',
  })
  const gone = after(...following, { type: 'peer.deleted' }, done('detach'), set('proxy'), done('release'))

  assert.deepEqual(waiting.value, { local: { local_attach: { detaching: 'waiting' } } })
  assert.deepEqual(again.value, { local: { local_attach: { detaching: 'asking' } } })
  assert.deepEqual(gone.value, { source: 'proxy' })
})

test('an engine that was left behind by a crash is looked after before anybody says that there is none', () => {
  assert.deepEqual(after({ type: 'engine.left' }).value, { local: 'releasing' })
})
