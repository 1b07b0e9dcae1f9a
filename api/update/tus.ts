// What tus 1.0 asks of headers (tus.io): the version of the protocol, and where an upload stands.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import { MAX_BUNDLE_BYTES } from '../../machines/update/bundle-rules.ts'
import { fault } from '../problems/problem.ts'

const VERSION = '1.0.0'

/** The media type of bytes that go on from an offset. */
export const OFFSET_MEDIA_TYPE = 'application/offset+octet-stream'

/** What OPTIONS says of uploads. */
export const TUS_OPTIONS = {
  'Tus-Resumable': VERSION,
  'Tus-Version': VERSION,
  'Tus-Extension': 'creation,creation-with-upload,termination',
  'Tus-Max-Size': String(MAX_BUNDLE_BYTES),
} as const

/** Whether a request begins an upload that can be gone on with. */
export const isTus = ({ headers }: FastifyRequest): boolean =>
  headers['tus-resumable'] !== undefined || headers['upload-length'] !== undefined

/** Why a request is not of this version; undefined: it is. */
export const otherProtocol = ({ headers }: FastifyRequest, reply: FastifyReply): Fault | undefined => {
  reply.header('tus-resumable', VERSION)
  const said = headers['tus-resumable']
  if (said === VERSION) return undefined
  reply.header('tus-version', VERSION)
  return fault(
    'update.other_protocol',
    `uploads that can be gone on with speak tus ${VERSION} (Tus-Resumable), and this one ${said ?? 'does not say'}`,
  )
}

/** A header with a number of bytes; undefined: it is none. */
export const bytesIn = ({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number | undefined => {
  const said = String(headers[name] ?? '')
  return /^\d{1,15}$/.test(said) ? Number(said) : undefined
}

/** Says where an upload stands. */
export const sayWhere = (reply: FastifyReply, at: { readonly offset: number; readonly bytes: number | null }): void => {
  reply.headers({
    'tus-resumable': VERSION,
    'upload-offset': String(at.offset),
    'cache-control': 'no-store',
    ...(at.bytes !== null && { 'upload-length': String(at.bytes) }),
  })
}
