// The kind `custom`: an endpoint that is like no other.
import type { FastifyReply } from 'fastify'
import type { TProperties, TSchema } from 'typebox'
import {
  type AnswerSpec,
  type Awaitable,
  type BodySpec,
  type CallOf,
  type Endpoint,
  endpoint,
  type Method,
  type RowBase,
  type RowParams,
  type UploadSpec,
} from './endpoint.ts'

/** because: why no kind will do. */
export interface CustomRow<Path extends string, Query extends TProperties, Body extends TSchema>
  extends RowBase<Query> {
  readonly because: string
  readonly body?: BodySpec<Body>
  /** Bytes that it takes instead of a document: its handler reads them as they arrive. */
  readonly upload?: UploadSpec
  readonly answer: AnswerSpec
  readonly serve: (call: CallOf<Path, Query, Body>, reply: FastifyReply) => Awaitable<FastifyReply>
}

export const custom = <Path extends string, Query extends TProperties, Body extends TSchema>(
  method: Method,
  path: Path,
  row: CustomRow<Path, Query, Body> & RowParams<Path>,
): Endpoint =>
  endpoint('custom', method, path, row, {
    ...(row.body && { body: row.body }),
    ...(row.upload && { upload: row.upload }),
    answer: row.answer,
    serve: (call, reply) => row.serve(call as CallOf<Path, Query, Body>, reply),
  })
