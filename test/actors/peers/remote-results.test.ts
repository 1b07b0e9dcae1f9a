// When what a peer finds is listened to: on tunnels that a test opens and ends, with timers that it lets run out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RemoteResults, type RemoteResultsParts } from '../../../actors/peers/remote-results.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { RemoteResultsMessage } from '../../../machines/interdevice/heard-results.ts'
import { peerHealth, peerInventory } from '../../../machines/peers/events.ts'
import type { FrameViewer } from '../../../native/tunnels/port.ts'
import { until } from '../../support/until.ts'

const gone: Fault = { code: 'peer.unreachable', detail: 'gone' }
const LOOK = { peer_id: 'back', streams: ['front', 'side'], outputs: ['tags'], ratePerS: 10 }

const following = () => {
  const asked: unknown[] = []
  const inside: FrameViewer[] = []
  const waits: { readonly ms: number; readonly over: () => void }[] = []
  const heard: RemoteResultsMessage[] = []
  const [changed, told] = [new Set<() => void>(), new Set<(event: never) => void>()]
  const peer = {
    status: 'linked' as string,
    isThere: true,
    refusal: undefined as Fault | undefined,
    streams: LOOK.streams,
  }
  const results = new RemoteResults({
    tunnels: {
      results: async (of: unknown) => {
        asked.push(of)
        return peer.refusal ?? { join: (viewer: FrameViewer) => inside.push(viewer) }
      },
    },
    peers: {
      get: () =>
        peer.isThere
          ? {
              health: () => ({ status: peer.status }),
              known: { inventory: { streams: peer.streams.map((id) => ({ id })) } },
            }
          : undefined,
      subscribe: (listener: () => void) => {
        changed.add(listener)
        return () => changed.delete(listener)
      },
    },
    events: {
      subscribe: (listener: (event: never) => void) => {
        told.add(listener)
        return () => told.delete(listener)
      },
    },
    startTimer: (ms: number, over: () => void) => {
      waits.push({ ms, over })
      return () => waits.splice(0)
    },
  } as unknown as RemoteResultsParts)
  const stop = results.follow(LOOK, (message) => heard.push(message))
  const tellHealth = (peer_id: string) => {
    for (const each of told) each({ kind: peerHealth.kind, resource_ref: { peer_id } } as never)
  }
  const tellInventory = (streams: string[]) => {
    peer.streams = streams
    for (const each of told) each({ kind: peerInventory.kind, resource_ref: { peer_id: 'back' } } as never)
  }
  const entered = (count: number) => until(`${count} tunnels`, () => inside.length === count)
  const say = (message: unknown) => inside.at(-1)?.send(Buffer.from(JSON.stringify(message)), { binary: false })
  return { asked, inside, waits, heard, changed, told, peer, stop, tellHealth, tellInventory, entered, say }
}

test('one socket has all streams of a peer, as they were asked for', async () => {
  const { asked, entered, say, heard } = following()
  await entered(1)

  say({ stream_id: 'front', outputs: {} })
  say({ stream_id: 'else', outputs: {} })

  assert.deepEqual(asked, [{ peer_id: 'back', query: { streams: 'front,side', rate: 10, outputs: 'tags' } }])
  assert.deepEqual(
    heard.map(({ listedId, hasEnded, text }) => [listedId, hasEnded, text()]),
    [['back:front', false, '{"stream_id":"back:front","outputs":{}}']],
  )
})

test('one that has ended is opened again, later each time until something is heard', async () => {
  const { inside, waits, entered, say } = following()
  const waited: number[] = []
  const endAndWait = async (count: number) => {
    inside.at(-1)?.close(1013, 'over')
    const wait = waits.pop()
    waited.push(wait?.ms ?? 0)
    wait?.over()
    await entered(count)
  }
  await entered(1)

  for (const count of [2, 3, 4]) await endAndWait(count)
  say({ stream_id: 'front', outputs: {} })
  await endAndWait(5)

  assert.deepEqual(waited, [250, 500, 1000, 250])
})

test('a peer that cannot be reached is not called until the link to it stands again', async () => {
  const { peer, inside, waits, asked, entered, tellHealth } = following()
  await entered(1)
  peer.status = 'backing-off'
  inside[0]?.close(1013, 'over')
  waits.pop()?.over()
  tellHealth('back')
  assert.equal(asked.length, 1)

  peer.status = 'linked'
  tellHealth('another')
  assert.equal(asked.length, 1)
  tellHealth('back')

  await entered(2)
})

test('one that refuses is asked again after a pause', async () => {
  const { peer, waits, asked, inside, entered, tellHealth } = following()
  await entered(1)
  peer.refusal = gone
  inside[0]?.close(1013, 'over')
  waits.pop()?.over()
  await until('the refusal', () => waits.length === 1)
  tellHealth('back')
  assert.equal(asked.length, 2)

  peer.refusal = undefined
  waits.pop()?.over()

  await entered(2)
})

test('each stream of a peer that is forgotten ends, once, and comes again with the peer', async () => {
  const { peer, heard, changed, inside, waits, entered } = following()
  await entered(1)
  const tell = () => {
    for (const each of changed) each()
  }

  peer.isThere = false
  tell()
  tell()
  assert.deepEqual(
    heard.map(({ text }) => text()),
    ['{"stream_id":"back:front","ended":true}', '{"stream_id":"back:side","ended":true}'],
  )
  inside[0]?.close(1013, 'over')
  waits.pop()?.over()
  peer.isThere = true
  tell()

  await entered(2)
})

test('the end of a stream that was not heard on the socket is told once it is not listed any more', async () => {
  const { heard, entered, say, tellInventory } = following()
  const ends = () => heard.filter(({ hasEnded }) => hasEnded).map(({ listedId }) => listedId)
  await entered(1)

  tellInventory(['front'])
  tellInventory(['front'])
  assert.deepEqual(ends(), ['back:side'])
  say({ stream_id: 'front', ended: true })
  tellInventory([])
  assert.deepEqual(ends(), ['back:side', 'back:front'])
  tellInventory(['side'])
  say({ stream_id: 'side', outputs: {} })
  tellInventory([])

  assert.deepEqual(ends(), ['back:side', 'back:front', 'back:side'])
})

test('nothing is heard and nothing goes on after the end', async () => {
  const { stop, inside, heard, waits, changed, told, entered, say } = following()
  await entered(1)

  stop()
  say({ stream_id: 'front', outputs: {} })

  assert.equal(inside[0]?.readyState, inside[0]?.CLOSED)
  assert.deepEqual([heard.length, waits.length, changed.size, told.size], [0, 0, 0, 0])
})
