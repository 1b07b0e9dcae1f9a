// Says where the pictures of a peer's stream are processed: the one command of such a stream that this device carries
// out itself.

import type { Static, TSchema } from 'typebox'
import { askNow } from '../../actors/ask.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { StreamCommand, StreamCommandAnswer } from '../../machines/interdevice/command.ts'
import { peerCollection } from '../../machines/peers/peer.ts'
import { hasScript } from '../../machines/pipeline/script-in.ts'
import { attachedManifest, SetCompute } from '../../machines/remote-streams/attach.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { deleteOrder, staleFault } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { command, Done, isUndecided, restarting } from '../endpoints/command.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'
import { administratorFault } from '../session/refusal.ts'
import { newStream } from '../stream/write.ts'
import type { PeerApiParts } from './wire.ts'

export const ABOUT_COMPUTE = oneLine`
  \`set_compute\` is never sent on: it says where this device has the pictures worked on. \`{"compute":
  "local_attach"}\` makes a stream here whose pictures come through the tunnel, with a copy of the pipeline that runs
  there; from then on that copy is this device’s own, and is asked for, changed and watched under
  \`/v1/streams/{local_stream_id}\`. The camera, its lens and its place stay with the peer. \`{"compute": "proxy"}\`
  forgets that stream and ends its engine, as deleting it does.
`

const LIMIT_MS = 5_000

type Named = 'peer_id' | 'remote_stream_id'
type ComputeCall = Call<Named, unknown, Static<typeof StreamCommand>>

/** The row for it, which the row of all commands calls. params: of that. */
export const computeRow = (parts: PeerApiParts, params: Readonly<Record<Named, TSchema>>) => {
  const { peers, remote, readCapture, signIn, directory } = parts
  const attachedTo = ({ peer_id, remote_stream_id }: ComputeCall['params']) => {
    const found = remote.get(peer_id, remote_stream_id)
    return found?.isAttached ? found.stream : undefined
  }

  const attach = async ({ params, request, administers }: ComputeCall) => {
    const { peer_id, remote_stream_id } = params
    const capture = await readCapture(peer_id, remote_stream_id)
    if (isFault(capture)) return capture
    if (attachedTo(params)) return new Done(null) // another request has asked for the same meanwhile
    if (hasScript(capture.pipeline)) {
      const what = oneLine`
        the pipeline of ${remote_stream_id} has a script, which is code that this device would run, so that it takes an
        administrator
      `
      const forbidden = administratorFault(signIn.policy, request, what)
      if (forbidden) return forbidden
    }
    const peerName = peers.get(peer_id)?.record().name ?? peer_id
    const taken = { has: (id: string) => parts.streams.get(id) !== undefined }
    const body = attachedManifest({ peer_id, peerName, stream_id: remote_stream_id, capture, taken })
    return newStream(parts, { body, administers }, { peer_id, stream_id: remote_stream_id })
  }

  /** Carried out here: an order that is refused since another has had it done meanwhile is done. */
  const done = async (
    { params, mark }: ComputeCall,
    { compute }: SetCompute,
    order: Command<'settings'> | Done | Fault,
  ): Promise<Done | Fault> => {
    const isInForce = () => (attachedTo(params) !== undefined) === (compute === 'local_attach')
    const answer = isFault(order) || order instanceof Done ? order : await stored(order, mark)
    return isFault(answer) && isInForce() ? new Done(null) : answer
  }

  const stored = async (order: Command<'settings'>, mark: RequestMark | undefined): Promise<Done | Fault> => {
    const actor = directory.actor('settings')
    if (!actor) return restarting('settings')
    const reply = await askNow(actor, { ...order, ...(mark && { request: mark }) }, LIMIT_MS)
    return reply.outcome === 'done' ? new Done(reply.value) : reply.fault
  }

  const send = async (call: ComputeCall) => {
    const { peer_id, remote_stream_id } = call.params
    const wanted = payloadOf(call)
    if (isFault(wanted)) return wanted
    const stale = staleness(call)
    if (stale) return stale
    const stream = attachedTo(call.params)
    if (wanted.compute === 'local_attach') return stream ? new Done(null) : done(call, wanted, await attach(call))
    if (stream) return done(call, wanted, deleteOrder(streamCollection, stream.id))
    const found = known(peer_id, remote_stream_id)
    return isFault(found) ? found : new Done(null)
  }

  /** As it was when it was read last. */
  const known = (peer_id: string, stream_id: string) => {
    const peer = peers.get(peer_id)
    if (!peer) return peerCollection.notFound(peer_id)
    const found = peer.streams().find(({ id }) => id === stream_id)
    return found ?? fault('stream.not_found', `${peer_id} has no stream ${quote(stream_id)}, as far as is known here`)
  }

  const staleness = ({ params: { peer_id, remote_stream_id }, expected }: ComputeCall): Fault | undefined => {
    const stream = known(peer_id, remote_stream_id)
    if (isFault(stream)) return expected.expected_revisions ? stream : undefined
    return staleFault(`peers/${peer_id}/streams/${remote_stream_id}`, stream.revision, expected)
  }

  return command('POST', '/v1/peers/:peer_id/streams/:remote_stream_id/commands', {
    params: params as Record<Named, TSchema>,
    summary: 'Say where the pictures of a stream of a peer are worked on',
    conditional: true,
    publishes: [streamChanged],
    body: { schema: StreamCommand, example: { request_id: 'one', command: 'set_compute' } },
    to: 'settings',
    send,
    refusal: (_, { code, detail }) => (isUndecided({ code }) ? {} : { accepted: false, error: { code, detail } }),
    answer: {
      schema: StreamCommandAnswer,
      example: { accepted: true, new_revision: 4, applied_at_ms: 1_767_225_600_000 },
      of: (call): StreamCommandAnswer => {
        const { peer_id, remote_stream_id } = call.params
        const stream = known(peer_id, remote_stream_id)
        const local_stream_id = attachedTo(call.params)?.id
        return {
          accepted: true,
          new_revision: isFault(stream) ? 0 : stream.revision,
          applied_at_ms: directory.clock.nowMs(),
          result: {
            compute: local_stream_id === undefined ? 'proxy' : 'local_attach',
            ...(local_stream_id !== undefined && { local_stream_id }),
          },
        }
      },
    },
    faults: [
      'stream.not_found',
      'stream.too_many',
      'stream.exists',
      'manifest.invalid',
      'document.exists',
      'token.required',
    ],
  })
}

const payloadOf = ({ body: { payload = {} } }: ComputeCall): SetCompute | Fault => {
  const errors = schemaErrors(SetCompute, payload).map((error) => ({ ...error, pointer: `/payload${error.pointer}` }))
  return errors.length === 0
    ? (payload as SetCompute)
    : fault('body.invalid', firstError(errors, 'the payload'), { errors })
}
