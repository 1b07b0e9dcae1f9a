// HTTP without a client's good manners: bytes go out as they are, and the answer comes back whole.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { arrival } from '../until.ts'
import type { Answered } from './api.ts'

/** Sends bytes and reads the answer up to the end of its body; the connection is closed then. */
export const rawRequest = async (port: number, bytes: string | Uint8Array): Promise<Answered> => {
  const socket = connect(port, '127.0.0.1')
  await arrival(`a connection to port ${port}`, once(socket, 'connect'))
  socket.write(bytes)
  return answerOn(socket)
}

/** Reads one answer from a socket. */
export const answerOn = (socket: Socket): Promise<Answered> => {
  let text = ''
  const reading = async () => {
    socket.setEncoding('latin1')
    for await (const chunk of socket) {
      text += chunk
      const answered = parsed(text)
      if (answered) {
        socket.destroy()
        return answered
      }
    }
    throw new Error(`the connection ended after ${JSON.stringify(text.slice(0, 300))}`)
  }
  return arrival('a whole answer', reading(), () => text)
}

const parsed = (text: string): Answered | undefined => {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  if (rest.length === 0 || (length !== undefined && body.length < Number(length))) return undefined
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    body,
  }
}
