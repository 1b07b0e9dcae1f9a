// The kind `feed`: a WebSocket on which the service talks and the client listens, and may ask. It stands in the
// AsyncAPI document.
import type { TProperties, TSchema } from 'typebox'
import type { WebSocket } from 'ws'
import type { Fault } from '../../machines/errors/fault.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import {
  type Awaitable,
  type CallOf,
  type Endpoint,
  endpoint,
  type FeedMessage,
  type FeedProtocol,
  type FeedSpec,
  type RowBase,
  type RowParams,
} from './endpoint.ts'

/** A row that is a WebSocket. */
export interface FeedRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  /** Every sort of message. */
  readonly messages: readonly FeedMessage[]
  /** What a client may say; nothing, if nothing is named. */
  readonly questions?: readonly FeedMessage[]
  /** What else than JSON it can be had as. */
  readonly protocols?: readonly FeedProtocol[]
  /** Why this client is not let in, told in a problem document before the upgrade. */
  readonly admit?: (call: CallOf<Path, Query, TSchema>) => Awaitable<Fault | undefined>
  /** Gets an open socket, whose end it has to notice itself. */
  readonly accept: (call: CallOf<Path, Query, TSchema>, socket: WebSocket) => void
}

export const feed = <Path extends string, Query extends TProperties>(
  method: 'GET',
  path: Path,
  row: FeedRow<Path, Query> & RowParams<Path>,
): Endpoint =>
  endpoint('feed', method, path, row, {
    answer: { status: 'empty' },
    faults: ['upgrade.required'],
    feed: {
      messages: row.messages,
      ...(row.questions && { questions: row.questions }),
      ...(row.protocols && { protocols: row.protocols }),
      admit: (call) => row.admit?.(call as CallOf<Path, Query, TSchema>),
      accept: (call, socket) => row.accept(call as CallOf<Path, Query, TSchema>, socket),
    },
    serve: (call, reply) =>
      sendProblem(
        reply.header('upgrade', 'websocket'),
        fault('upgrade.required', `${call.request.url} is a WebSocket; connect with ws://`),
      ),
  })

/**
 * Which of the subprotocols that a client offers is spoken; false: none. A feed that knows none does not mind: a
 * browser hangs up when it is told none of its own.
 */
export const protocolOf = (
  feed: Pick<FeedSpec, 'protocols'> | undefined,
  offered: ReadonlySet<string>,
): string | false => {
  if (!feed?.protocols) return offered.values().next().value ?? false
  return feed.protocols.find(({ name }) => offered.has(name))?.name ?? false
}
