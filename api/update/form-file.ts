// The file in a form that a browser, or `curl -F`, sends: as a stream, without keeping any of it.
import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { Fault } from '../../machines/errors/fault.ts'
import { fault } from '../problems/problem.ts'

/** Beside the file a form may say a few words, which nobody reads. */
const LIMITS = { fields: 16, fieldSize: 1024, files: 2, parts: 18, headerPairs: 32, headerSize: 16 * 1024 }

const NO_FILE = fault(
  'request.malformed',
  'the form has no file in it; send it as curl -F bundle=@FILE does, or send the bundle itself as the body',
)

const NO_FORM = fault('request.malformed', 'the body is no form as its content-type says, or ends too early')

const TWO_FILES = fault('request.malformed', 'the form has two files in it, and one bundle is taken at a time')

/** The file of a form. */
export interface FormFile {
  /** Fails when the form ends too early, is none, or has another file in it. */
  readonly content: Readable
  /** What was wrong with the form; undefined: nothing, or not with the form. */
  readonly flaw: () => Fault | undefined
}

/** The file of a form, before it has come: lets the body of its request through to it. */
export const fileInForm = (body: Readable, headers: IncomingHttpHeaders): FormFile | Fault => {
  const form = formOf(headers)
  if (!form) return NO_FORM
  const content = new PassThrough()
  let flaw: Fault | undefined
  let files = 0
  const fail = (why: Fault | undefined) => {
    flaw ??= why
    body.unpipe(form)
    content.destroy(new Error('the form ended too early'))
  }
  form
    .on('file', (_name, file) => {
      files += 1
      if (files > 1) {
        file.resume()
        fail(TWO_FILES)
        return
      }
      file.on('error', () => fail(NO_FORM)).pipe(content, { end: false }) // it ends with the form
    })
    .on('error', () => fail(NO_FORM))
    .on('finish', () => (files === 0 ? fail(NO_FILE) : content.end()))
  body.on('close', () => body.readableEnded || fail(undefined)).pipe(form)
  content.on('error', () => {}) // heard also where nobody reads it any more
  return { content, flaw: () => flaw }
}

const formOf = (headers: IncomingHttpHeaders) => {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits: LIMITS })
  } catch {
    return undefined
  }
}
