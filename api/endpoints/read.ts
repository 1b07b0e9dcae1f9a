// The kind `read`: answers with a document made from what is known now, and changes nothing.
import type { TProperties, TSchema } from 'typebox'
import type { Fault } from '../../machines/errors/fault.ts'
import { sendDocument } from './answer.ts'
import {
  type Awaitable,
  type BodySpec,
  type CallOf,
  type Endpoint,
  endpoint,
  type Method,
  type RowBase,
  type RowParams,
} from './endpoint.ts'

/** get: the document, or why there is none. A document with a `revision` carries it as its ETag too. */
export interface ReadRow<Path extends string, Query extends TProperties, Body extends TSchema> extends RowBase<Query> {
  readonly body?: BodySpec<Body>
  readonly answer: TSchema
  readonly example: unknown
  readonly get: (call: CallOf<Path, Query, Body>) => Awaitable<object | Fault>
}

/** POST only for a question that needs a body. */
export const read = <Path extends string, Query extends TProperties, Body extends TSchema>(
  method: Extract<Method, 'GET' | 'POST'>,
  path: Path,
  row: ReadRow<Path, Query, Body> & RowParams<Path>,
): Endpoint =>
  endpoint(
    'read',
    method,
    path,
    { access: 'read', ...row },
    {
      ...(row.body && { body: row.body }),
      answer: { status: 'ok', mediaType: 'application/json', schema: row.answer, example: row.example },
      serve: async (call, reply) => sendDocument(reply, 'ok', await row.get(call as CallOf<Path, Query, Body>)),
    },
  )
