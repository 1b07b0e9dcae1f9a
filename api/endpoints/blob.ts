// The kind `blob`: answers with bytes that are not JSON, or are meant to be saved.
import type { TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import { SUCCESS } from '../problems/faults.ts'
import { sendProblem } from '../problems/problem.ts'
import { type Awaitable, type CallOf, type Endpoint, endpoint, type RowBase, type RowParams } from './endpoint.ts'

export interface Blob {
  readonly bytes: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
}

/** Whatever the media type says. */
const Bytes = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'Bytes',
  description: 'Bytes of the media type.',
})

/** A row that answers with bytes. */
export interface BlobRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  readonly mediaType: string
  /** Those that get() sets, name to description. */
  readonly headers?: Readonly<Record<string, string>>
  /** When the bytes are JSON after all. */
  readonly schema?: TSchema
  /** When the bytes are JSON after all. */
  readonly example?: unknown
  readonly get: (call: CallOf<Path, Query, TSchema>) => Awaitable<Blob | Fault>
}

export const blob = <Path extends string, Query extends TProperties>(
  method: 'GET',
  path: Path,
  row: BlobRow<Path, Query> & RowParams<Path>,
): Endpoint =>
  endpoint('blob', method, path, row, {
    answer: {
      status: 'ok',
      mediaType: row.mediaType,
      schema: row.schema ?? Bytes,
      ...(row.example !== undefined && { example: row.example }),
      ...(row.headers && { headers: row.headers }),
    },
    serve: async (call, reply) => {
      const found = await row.get(call as CallOf<Path, Query, TSchema>)
      if (isFault(found)) return sendProblem(reply, found)
      return reply
        .code(SUCCESS.ok)
        .headers({ 'cache-control': 'no-store', ...found.headers })
        .type(row.mediaType)
        .send(typeof found.bytes === 'string' ? found.bytes : bufferOf(found.bytes))
    },
  })

/** The same bytes as a Buffer, the one kind of bytes that fastify sends as they are. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
