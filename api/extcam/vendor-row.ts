// The kind `vendor`: what clients of the vendor's camera ask of one stream, in the vendor's manner.
import type { TProperties, TSchema } from 'typebox'
import type { ExtcamAdapter } from '../../actors/extcam/tokens.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { sendDocument, sendHead } from '../endpoints/answer.ts'
import {
  type AnswerSpec,
  type Awaitable,
  type BodySpec,
  type Call,
  type CallOf,
  type Endpoint,
  endpoint,
  type Method,
  type RowBase,
  type RowParams,
} from '../endpoints/endpoint.ts'
import { SUCCESS } from '../problems/faults.ts'
import { sendProblem } from '../problems/problem.ts'

/** Finds the adapter that a request means. */
export type AdapterOf<Params> = (
  call: Pick<Call, 'directory' | 'request'> & { readonly params: Params },
) => ExtcamAdapter | Fault

/** What rows of the kind say beyond the paths, which depend on where the adapter is served. */
export interface VendorRow<Query extends TProperties, Body extends TSchema> extends RowBase<Query> {
  readonly body?: BodySpec<Body>
  /** What a document is described as; left out: the answer is nothing but 200. */
  readonly answer?: Pick<AnswerSpec, 'schema' | 'example'>
  /** Why a request is refused, whichever adapter it means. */
  readonly refuse?: (call: CallOf<'', Query, Body>) => Fault | undefined
  /** Asks the adapter: a document, nothing where there is none, or why not. */
  readonly ask: (adapter: ExtcamAdapter, call: CallOf<'', Query, Body>) => Awaitable<object | Fault | undefined>
  /** What it can meet beside `extcam.not_found`. */
  readonly faults?: readonly ClientCode[]
}

/** A row with its types. */
export const vendorRow = <Query extends TProperties, Body extends TSchema>(row: VendorRow<Query, Body>) => row

/**
 * The vendor ignores what it does not know, and clients add a time so that no cache answers: `/stream.mjpg?t=1712`.
 * Its clients take nothing but 200 for a success. A HEAD of a GET that acts does nothing.
 */
export const vendor = <Path extends string, Query extends TProperties, Body extends TSchema>(
  method: Method,
  path: Path,
  adapterOf: AdapterOf<CallOf<Path, Query, Body>['params']>,
  row: VendorRow<Query, Body> & RowParams<Path>,
): Endpoint =>
  endpoint(
    'vendor',
    method,
    path,
    { ...row, ignoresOtherQueries: true, faults: ['extcam.not_found', ...(row.faults ?? [])] },
    {
      ...(row.body && { body: row.body }),
      answer: row.answer ? { status: 'ok', mediaType: 'application/json', ...row.answer } : { status: 'ok' },
      serve: async (given, reply) => {
        const call = given as CallOf<Path, Query, Body>
        if (row.acts && call.request.method === 'HEAD') return sendHead(reply.code(SUCCESS.ok), 'application/json')
        const refused = row.refuse?.(call)
        if (refused) return sendProblem(reply, refused)
        const adapter = adapterOf(call)
        const answer = isFault(adapter) ? adapter : await row.ask(adapter, call)
        return answer === undefined ? reply.code(SUCCESS.ok).send() : sendDocument(reply, 'ok', answer)
      },
    },
  )
