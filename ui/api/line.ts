// A socket that only listens, for as long as somebody wants what comes.
import { socketUrl } from './client.ts'
import { endQuietly } from './end-quietly.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000

/** A socket that is dialled again whenever it ends. */
export interface Line {
  readonly close: () => void
}

/** path: of the interface. hear: gets each message. */
export const openLine = (path: string, hear: (data: string | ArrayBuffer) => void): Line => {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_WAIT_MS
  const dial = () => {
    const mine = new WebSocket(socketUrl(path))
    socket = mine
    mine.binaryType = 'arraybuffer'
    mine.onmessage = ({ data }) => {
      waitMs = FIRST_WAIT_MS
      hear(data as string | ArrayBuffer)
    }
    mine.onclose = () => {
      timer = setTimeout(dial, waitMs)
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
    }
  }
  dial()
  return {
    close: () => {
      clearTimeout(timer)
      if (socket) endQuietly(socket)
    },
  }
}
