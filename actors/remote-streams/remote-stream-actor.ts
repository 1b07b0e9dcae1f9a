// A stream of a peer that is worked on here, with its effects: where an engine has the pictures, what of the capture is
// mirrored, and the end of all that.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { CameraCapture } from '../../machines/interdevice/capture.ts'
import { peerHealth, peerInventory } from '../../machines/peers/events.ts'
import { mirrored } from '../../machines/remote-streams/attach.ts'
import {
  type RemoteStreamActions,
  type RemoteStreamEffects,
  type RemoteStreamEvent,
  remoteStreamMachine,
  type SeenSource,
} from '../../machines/remote-streams/remote-stream-machine.ts'
import { changeOrder, deleteOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { InletPort, TakePictures } from '../../native/inlets/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { PeerRegistry } from '../peers/peer-registry.ts'
import type { Tunnels } from '../peers/tunnels.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import { followClock } from './follow-clock.ts'
import type { RemoteStream, RemoteStreams } from './remote-streams.ts'

/** What it works with. */
export interface RemoteStreamParts {
  readonly remote: RemoteStream
  readonly all: RemoteStreams
  readonly peers: Pick<PeerRegistry, 'get' | 'subscribe'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly tunnels: Pick<Tunnels, 'preview'>
  readonly inlets: InletPort
  readonly readCapture: (peer_id: string, stream_id: string) => Promise<CameraCapture | Fault>
  readonly write: WriteSettings
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** The stream here need not wait before it asks again. */
  readonly callStream: (id: string) => void
  /** Done when nothing runs under its name. */
  readonly streamEnded: (id: string) => Effect.Effect<void>
}

const TOLD_BY_LINK: ReadonlySet<string> = new Set(['peer.unreachable', 'peer.too_slow', 'peer.not_linked'])

/** The machine with its effects. */
export const remoteStreamActor = ({
  remote,
  all,
  peers,
  events,
  tunnels,
  inlets,
  readCapture,
  write,
  record,
  callStream,
  streamEnded,
}: RemoteStreamParts) => {
  const { peer_id, stream_id } = remote
  /** As viewers have them who ask for nothing in particular: they share one connection to the peer. */
  const takePictures: TakePictures = async () => {
    const found = await tunnels.preview({ peer_id, stream_id, query: {} })
    remote.refusal = isFault(found) ? found : undefined
    return isFault(found) ? found : { mediaType: found.tunnel.mediaType, join: found.join }
  }

  let recorded: string | undefined
  /** Why the lens and the place do not follow the source, where no link tells that. Once, until they do again. */
  const recordBehind = (fault: Fault) => {
    if (fault.code === recorded || TOLD_BY_LINK.has(fault.code)) return
    recorded = fault.code
    record({ ...fault, resource: `streams/${remote.stream.id}` })
  }

  const seen = (): SeenSource | null => {
    const peer = peers.get(peer_id)
    const found = peer?.known.inventory?.streams.find(({ id }) => id === stream_id)
    if (!found || peer?.health().status !== 'linked') return null
    return { revision: found.revision, status: found.status }
  }

  return remoteStreamMachine.provide({
    actions: {
      callStream: () => callStream(remote.stream.id),
      reportReleased: () => all.released(remote),
    } satisfies Required<RemoteStreamActions>,
    actors: {
      watchSource: fromScoped<never, void, RemoteStreamEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const look = () => {
            send({ type: 'source.seen', source: seen() })
            if (peers.get(peer_id)) remote.hadPeer = true
            else if (remote.hadPeer) send({ type: 'peer.deleted' })
          }
          const follow = () => {
            send({ type: 'compute.set', compute: remote.isAttached ? 'local_attach' : 'proxy' })
            look()
          }
          const stops = [
            remote.changed.add(guard(follow)),
            peers.subscribe(guard(look)),
            events.subscribe(
              guard(({ kind, resource_ref }) => {
                const isOfPeer = 'peer_id' in resource_ref && resource_ref.peer_id === peer_id
                if (isOfPeer && (kind === peerHealth.kind || kind === peerInventory.kind)) look()
              }),
            ),
          ]
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              for (const stop of stops) stop()
            }),
          )
          if (remote.isAttached) follow()
          else send({ type: 'engine.left' })
          return yield* Effect.never
        }),
      ),

      openInlet: fromScoped<never>((_, { guard }) =>
        Effect.gen(function* () {
          yield* Effect.acquireRelease(
            Effect.sync(() => followClock(remote, peers, guard)),
            (stop) => Effect.sync(stop),
          )
          const url = yield* inlets.open(takePictures)
          remote.inlet = url
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              remote.inlet = undefined
            }),
          )
          callStream(remote.stream.id)
          return yield* Effect.never
        }),
      ),

      mirror: fromEffect<void>(() =>
        Effect.gen(function* () {
          const capture = yield* Effect.promise(() => readCapture(peer_id, stream_id))
          if (isFault(capture)) return yield* Effect.fail(capture)
          yield* write(changeOrder(streamCollection, remote.stream.id, (before) => mirrored(before, capture)))
          recorded = undefined
        }).pipe(Effect.tapError((fault: Fault) => Effect.sync(() => recordBehind(fault)))),
      ),

      detach: fromEffect(() => write(deleteOrder(streamCollection, remote.stream.id))),

      release: fromEffect(() => {
        const { stream } = remote
        // one that is still stored has another camera now
        return stream.isDeleted ? streamEnded(stream.id) : Effect.void
      }),
    } satisfies Required<RemoteStreamEffects>,
  })
}
