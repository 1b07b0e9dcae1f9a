// The answer to a connection that does not speak HTTP.
import type { Socket } from 'node:net'
import type { Fault } from '../../machines/errors/fault.ts'
import { afterAnswers, answerHead, isHeld } from '../connections/connections.ts'
import { fault, PROBLEM_MEDIA_TYPE, problemOf } from '../problems/problem.ts'

/**
 * Answers what the HTTP parser could not read, after all that it could, and closes. The rest of a request that has its
 * answer already gets none.
 */
export const answerUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  const found = faultOf(error)
  if (!found || isHeld(socket)) socket.destroy()
  else afterAnswers(socket, (isOwed) => (isOwed ? answerAndClose(socket, found) : socket.end()))
}

/** Answers a request that did not arrive in time, after all that came whole, and closes. */
export const answerLate = (socket: Socket): void =>
  answerUnreadable(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)

/** Answers on a bare socket. */
export const answerAndClose = (socket: Socket, found: Fault): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf(found, '', '')
  const body = JSON.stringify(problem)
  const headers = {
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  socket.end(answerHead(problem.status, headers) + body)
}

const faultOf = ({ code = '', message }: { readonly code?: string; readonly message: string }): Fault | undefined => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('request.timeout', 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return fault('header.too_large', 'the headers exceed 16 KiB')
  return code.startsWith('HPE_') ? fault('request.malformed', message) : undefined
}
