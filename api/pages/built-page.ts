// The page for people, as it was built: `ui/build/`. Files whose names hold a sum of their content are kept by browsers
// for ever; the first one, which names them, is asked for each time.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { policySource } from '../../machines/plugins/panel/panel-file.ts'
import { projectPath } from '../../native/files/project-root.ts'
import { addVary } from '../endpoints/negotiation.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * No script and no style but the page's own files, and no text that becomes script. frames: where the panels of plugins
 * are, each of which has a policy of its own (api/plugins/panel.ts).
 */
const policyFor = (frames: string): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:",
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'",
    `frame-src ${frames}`,
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
  ].join('; ')

const FOR_EVER = 'public, max-age=31536000, immutable'

/** The encodings that lie beside each file, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Sends the first file of the page, whatever room of it is wanted. */
export const sendPage = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  send(request, reply, 'index.html', 'no-cache')

/** Sends one of the files that the first one names. */
export const sendAsset = (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> =>
  send(request, reply, `assets/${basename(name)}`, FOR_EVER)

const send = async (
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  caching: string,
): Promise<FastifyReply> => {
  const file = await readEncoded(path, String(request.headers['accept-encoding'] ?? ''))
  const mediaType = TYPES[extname(path)]
  if (!file || !mediaType) {
    const why =
      path === 'index.html'
        ? 'the page for people was not built; start the service with `npm start`, which builds it'
        : `the page has no file ${path}; load it again`
    return sendProblem(reply, fault('route.not_found', why))
  }
  const { bytes, encoding } = file
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  addVary(reply, 'accept-encoding')
  reply.headers({
    'cache-control': caching,
    'content-security-policy': policyFor(policySource(`${request.protocol}://${request.authority}`, '/v1/plugins/')),
    'referrer-policy': 'no-referrer',
    etag,
  })
  if (encoding) reply.header('content-encoding', encoding)
  if (request.headers['if-none-match'] === etag) return reply.code(SUCCESS.unchanged).send()
  return reply.code(SUCCESS.ok).type(mediaType).send(bytes)
}

const readEncoded = async (path: string, accepted: string) => {
  for (const [encoding, ending] of ENCODINGS) {
    if (!new RegExp(`\\b${encoding}\\b(?!;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)) continue
    const bytes = await readIfThere(`${path}${ending}`)
    if (bytes) return { bytes, encoding }
  }
  const bytes = await readIfThere(path)
  return bytes && { bytes, encoding: undefined }
}

const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(projectPath(`ui/build/${path}`)).catch(() => undefined)
