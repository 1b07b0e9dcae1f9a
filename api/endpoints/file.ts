// The kind `file`: answers with the bytes of a file, or a range of them, straight from the disk (RFC 9110, sections 13
// and 14).

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import { keepForViewer } from '../connections/connections.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { sendHead } from './answer.ts'
import { type Awaitable, type CallOf, type Endpoint, endpoint, type RowBase, type RowParams } from './endpoint.ts'

/** A file to be served. */
export interface ServedFile {
  /** Under which it is saved. */
  readonly name: string
  readonly mediaType: string
  readonly sizeBytes: number
  /** Of exactly these bytes. */
  readonly etag: string
  /** A browser may show it, instead of saving it. */
  readonly isShown: boolean
  /** The bytes from one to another, the last included; closes the file. */
  readonly stream: (first: number, last: number) => Readable
  readonly close: () => Promise<void>
}

/**
 * Parts that come at their own pace, without a length that is known before, to a viewer that has a place. They end when
 * it takes nothing.
 */
export interface ServedParts {
  readonly mediaType: string
  readonly parts: Readable
}

/** mediaType: of the file; any: `*` on both sides of the slash. */
export interface FileRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  readonly mediaType: string
  readonly open: (call: CallOf<Path, Query, TSchema>) => Awaitable<ServedFile | ServedParts | Fault>
}

const FileBytes = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'FileBytes',
  description: 'The content of a file.',
})

const headers = {
  ETag: 'Of exactly these bytes; for If-None-Match and If-Range.',
  'Accept-Ranges': '`bytes`: a Range header with one range is heeded.',
  'Content-Disposition': 'A name for the file.',
}

export const file = <Path extends string, Query extends TProperties>(
  method: 'GET',
  path: Path,
  row: FileRow<Path, Query> & RowParams<Path>,
): Endpoint =>
  endpoint('file', method, path, row, {
    faults: ['range.not_satisfiable'],
    answer: { status: 'ok', also: ['partial', 'unchanged'], mediaType: row.mediaType, schema: FileBytes, headers },
    serve: async (call, reply) => {
      const found = await row.open(call as CallOf<Path, Query, TSchema>)
      if (isFault(found)) return sendProblem(reply, found)
      return 'parts' in found ? serveParts(call.request, reply, found) : serveFile(call.request, reply, found)
    },
  })

const serveFile = async (request: FastifyRequest, reply: FastifyReply, found: ServedFile): Promise<FastifyReply> => {
  const { sizeBytes, etag, name, mediaType, isShown } = found
  const how = isShown ? 'inline' : 'attachment'
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition': `${how}; filename="${name}"`,
  })
  if (isKnown(request.headers['if-none-match'], etag)) {
    await found.close()
    return reply.code(SUCCESS.unchanged).send()
  }
  const { range, 'if-range': ifRange = etag } = request.headers
  const wanted = ifRange === etag ? rangeOf(range, sizeBytes) : undefined
  if (wanted === null) {
    await found.close()
    reply.header('content-range', `bytes */${sizeBytes}`)
    return sendProblem(
      reply,
      fault('range.not_satisfiable', `the file has ${sizeBytes} bytes, and ${range} lies beyond them`),
    )
  }
  const [first, last] = wanted ?? [0, sizeBytes - 1]
  if (wanted) reply.header('content-range', `bytes ${first}-${last}/${sizeBytes}`)
  reply.code(wanted ? SUCCESS.partial : SUCCESS.ok).headers({ 'content-length': last - first + 1 })
  reply.type(mediaType)
  if (request.method !== 'HEAD' && sizeBytes > 0) return reply.send(found.stream(first, last))
  await found.close()
  return reply.send(Readable.from([]))
}

const serveParts = (request: FastifyRequest, reply: FastifyReply, { mediaType, parts }: ServedParts): FastifyReply => {
  reply.code(SUCCESS.ok).type(mediaType).header('cache-control', 'no-store')
  keepForViewer(reply)
  if (request.method !== 'HEAD') return reply.send(parts)
  parts.destroy()
  return sendHead(reply, mediaType)
}

/** Whether the client has these bytes already. */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, ''))) ?? false

/**
 * One range within a file, first and last byte; null: beyond it; undefined: all of it is wanted, as when several ranges
 * are asked for.
 */
const rangeOf = (header: string | undefined, size: number): readonly [number, number] | null | undefined => {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') return to !== '' && Number(to) > 0 && size > 0 ? [Math.max(0, size - Number(to)), size - 1] : null
  if (to !== '' && Number(to) < Number(from)) return undefined
  return Number(from) < size ? [Number(from), Math.min(size - 1, to === '' ? size - 1 : Number(to))] : null
}
