// A client on the stream of a console session, as a page is one.
import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { WebSocket } from 'ws'
import type { ConsoleWord } from '../../../machines/console/messages.ts'
import { until } from '../until.ts'

/** What a client has heard. */
export interface ConsoleClient {
  readonly socket: WebSocket
  /** All bytes of the terminal so far, as text. */
  readonly shown: () => string
  /** So many bytes were shown. */
  readonly received: () => number
  readonly words: readonly ConsoleWord[]
  /** Types, in messages that are as large as they may be. */
  readonly type: (text: string | Uint8Array) => void
  readonly order: (order: unknown) => void
  /** Waits until this stands in what was shown; returns all that was. */
  readonly sees: (what: string | RegExp) => Promise<string>
  /** Waits for a word of this kind. */
  readonly hears: <Kind extends ConsoleWord['kind']>(kind: Kind) => Promise<Extract<ConsoleWord, { kind: Kind }>>
  readonly leave: () => Promise<void>
  /** Done when the connection is closed; with the code. */
  readonly closed: Promise<number>
}

const MAX_MESSAGE_BYTES = 4096

/** url: of the service, `http://127.0.0.1:5800`. */
export const attach = async (
  url: string,
  sessionId: string,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<ConsoleClient> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/console/sessions/${sessionId}/stream${query}`, {
    headers,
  })
  const decoder = new StringDecoder('utf8')
  let text = ''
  let received = 0
  const words: ConsoleWord[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      text += decoder.write(data)
      received += data.length
    } else words.push(JSON.parse(data.toString()) as ConsoleWord)
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  const shown = () => text
  const client: ConsoleClient = {
    socket,
    received: () => received,
    shown,
    words,
    type: (text) => {
      const all = Buffer.from(text as string)
      for (let at = 0; at < all.length; at += MAX_MESSAGE_BYTES) socket.send(all.subarray(at, at + MAX_MESSAGE_BYTES))
    },
    order: (order) => socket.send(typeof order === 'string' ? order : JSON.stringify(order)),
    sees: (what) =>
      until(`to see ${what}`, shown, (text) => (typeof what === 'string' ? text.includes(what) : what.test(text))),
    hears: async (kind) =>
      (await until(
        `to hear ${kind}`,
        () => words.find((word) => word.kind === kind),
        (word) => word !== undefined,
      )) as never,
    leave: async () => {
      socket.close()
      await closed
    },
    closed,
  }
  await client.hears('attached')
  return client
}
