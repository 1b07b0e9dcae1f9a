// The stream of a console session: what the terminal shows and what is typed, as bytes; all else as JSON.
import { socketUrl } from '../../api/client.ts'
import { endQuietly } from '../../api/end-quietly.ts'
import { onReturn } from '../../api/feed.ts'

/** Told of it. */
export interface StreamListener {
  /** It is attached, and what was shown lately comes again: the terminal is to be empty. */
  readonly attached: () => void
  /** drawn: to be called when they are. */
  readonly shown: (bytes: Uint8Array, drawn: () => void) => void
  /** It is over, and why. canReturn: the session goes on. */
  readonly ended: (why: string, canReturn: boolean) => void
  /** The connection broke, and is tried again. */
  readonly lost: () => void
}

/** What is said on it. */
export interface ConsoleStream {
  readonly type: (text: string) => void
  /** Each character is a byte: what a mouse does, as some programs want it. */
  readonly typeBytes: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
  readonly close: () => void
}

type Word =
  | { readonly kind: 'attached' | 'refused' }
  | { readonly kind: 'taken_over'; readonly by: string }
  | { readonly kind: 'exit'; readonly detail: string }

const WINDOW_BYTES = 1024 * 1024 // what is on its way when somebody presses Ctrl-C
const TELL_DRAWN_BYTES = 128 * 1024
const MAX_MESSAGE_BYTES = 4096
const MAX_ON_ITS_WAY_BYTES = 64 * 1024
const LOOK_AGAIN_MS = 20
const RETRY_MS = 1000
const MAX_RETRIES = 30

const encoder = new TextEncoder()

/** Attaches to a session, and again when the connection breaks. */
export const openStream = (sessionId: string, listener: StreamListener): ConsoleStream => {
  const path = `/v1/console/sessions/${encodeURIComponent(sessionId)}/stream?window_bytes=${WINDOW_BYTES}`
  let socket: WebSocket | undefined
  let dialling: ReturnType<typeof setTimeout> | undefined
  let sending: ReturnType<typeof setTimeout> | undefined
  let retries = 0
  let size: { readonly columns: number; readonly rows: number } | undefined
  let waiting: Uint8Array<ArrayBuffer>[] = []

  const say = (order: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(order))
  }
  const hear = (word: Word) => {
    if (word.kind === 'attached') {
      retries = 0
      listener.attached()
      if (size) say({ kind: 'resize', ...size })
    }
    if (word.kind === 'taken_over') end(`Somebody at ${word.by} has taken the session over.`, true)
    if (word.kind === 'exit') end(`The session has ended: ${word.detail}.`, false)
  }
  const end = (why: string, canReturn: boolean) => {
    close()
    listener.ended(why, canReturn)
  }
  const dial = () => {
    const mine = new WebSocket(socketUrl(path))
    socket = mine
    mine.binaryType = 'arraybuffer'
    let undrawn = 0
    const drawn = (bytes: number) => {
      undrawn += bytes
      if (undrawn < TELL_DRAWN_BYTES || mine !== socket) return
      say({ kind: 'drawn', bytes: undrawn })
      undrawn = 0
    }
    mine.onopen = () => send() // what was typed before
    mine.onmessage = ({ data }) => {
      if (typeof data === 'string') return hear(JSON.parse(data) as Word)
      const bytes = new Uint8Array(data as ArrayBuffer)
      listener.shown(bytes, () => drawn(bytes.length))
    }
    mine.onclose = () => {
      waiting = []
      retries += 1
      if (retries > MAX_RETRIES) return end('The device does not answer.', true)
      listener.lost()
      dialling = setTimeout(dial, RETRY_MS)
    }
  }
  const hangUp = () => {
    clearTimeout(dialling)
    clearTimeout(sending)
    waiting = []
    if (socket) endQuietly(socket)
    socket = undefined
  }
  const stop = onReturn(() => {
    hangUp()
    retries = 0
    listener.lost()
    dial()
  })
  const close = () => {
    stop()
    hangUp()
  }
  /** A piece at a time: what is pasted may be large, and a session that is ended must not wait for it. */
  const send = () => {
    clearTimeout(sending)
    while (waiting.length > 0 && socket?.readyState === WebSocket.OPEN) {
      if (socket.bufferedAmount > MAX_ON_ITS_WAY_BYTES) {
        sending = setTimeout(send, LOOK_AGAIN_MS)
        return
      }
      socket.send(waiting.shift() as Uint8Array<ArrayBuffer>)
    }
  }
  const typeAll = (bytes: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < bytes.length; at += MAX_MESSAGE_BYTES) waiting.push(bytes.slice(at, at + MAX_MESSAGE_BYTES))
    send()
  }
  dial()
  return {
    type: (text) => typeAll(encoder.encode(text)),
    typeBytes: (text) => typeAll(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    resize: (columns, rows) => {
      size = { columns, rows }
      say({ kind: 'resize', ...size })
    },
    close,
  }
}
