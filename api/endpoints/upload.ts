// The kind `upload`: takes bytes of any length as they arrive, and answers with what became of them. They are the whole
// body; what else is to be said stands in the query.
import type { Readable } from 'node:stream'
import type { TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import { discardBody, liftLimit } from '../connections/request-limit.ts'
import { SUCCESS, type Success } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { documentAnswer, sendAnswer } from './answer.ts'
import {
  type CallOf,
  type DescribedContent,
  type Endpoint,
  endpoint,
  type RowBase,
  type RowParams,
} from './endpoint.ts'
import { ExpectedRevision } from './revision.ts'

/** Bytes as they arrive. length: of all of them, when their sender has said so. */
export interface ArrivingBytes {
  readonly body: Readable
  readonly length: number | undefined
}

/** A row that takes a file. */
export interface UploadRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  /** What may be sent, for the documents; the content is checked by its handler. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** See UploadSpec. */
  readonly described?: Readonly<Record<string, DescribedContent>>
  /** What it writes has a revision. */
  readonly conditional?: boolean
  /** An example. location: of what was made. */
  readonly upload: Uint8Array
  readonly answer: {
    readonly status: Extract<Success, 'ok' | 'created'>
    readonly schema: TSchema
    readonly example: unknown
    readonly location?: (document: never) => string
  }
  readonly take: (call: CallOf<Path, Query, TSchema>, bytes: ArrivingBytes) => Promise<object | Fault>
}

export const upload = <Path extends string, Query extends TProperties>(
  method: 'POST',
  path: Path,
  row: UploadRow<Path, Query> & RowParams<Path>,
): Endpoint => {
  const { conditional = false, query, answer } = row
  const { status, schema, example, location } = answer
  const whole = conditional ? { ...row, query: { ...query, expected_revision: Type.Optional(ExpectedRevision) } } : row
  return endpoint('upload', method, path, whole, {
    conditional,
    upload: { mediaTypes: row.mediaTypes, described: row.described ?? {}, example: row.upload },
    faults: [
      ...(['media_type.unsupported', 'request.timeout', 'request.malformed'] as const),
      ...(conditional ? [] : (['if_match.not_possible'] as const)),
    ],
    answer: {
      status,
      mediaType: 'application/json',
      schema,
      example,
      ...(location && { headers: { Location: 'Where it is found from now on.' } }),
    },
    serve: async (call, reply) => {
      const { raw, headers } = call.request
      liftLimit(raw)
      const packed = headers['content-encoding'] ?? 'identity'
      const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
      const found =
        packed === 'identity'
          ? await row.take(call as CallOf<Path, Query, TSchema>, { body: raw, length })
          : compressed(packed)
      discardBody(raw)
      if (isFault(found)) return sendProblem(reply, found)
      if (location) reply.header('location', location(found as never))
      return sendAnswer(reply, { ...documentAnswer(status, found), status: SUCCESS[status] })
    },
  })
}

const compressed = (encoding: string): Fault =>
  fault('media_type.unsupported', `the body is compressed (${encoding}); send it as it is, without Content-Encoding`)
