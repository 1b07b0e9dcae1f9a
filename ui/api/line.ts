// A socket that only listens, for as long as somebody wants what comes.
import { socketUrl } from './client.ts'
import { endQuietly } from './end-quietly.ts'
import { onReturn } from './feed.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000

/** A socket that is dialled again whenever it ends, or is taken for ended. */
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
    let openSinceMs = Number.POSITIVE_INFINITY
    socket = mine
    mine.binaryType = 'arraybuffer'
    mine.onopen = () => {
      openSinceMs = performance.now()
    }
    mine.onmessage = ({ data }) => hear(data as string | ArrayBuffer)
    mine.onclose = () => {
      // what is told something and let go at once would else be dialled several times a second
      if (performance.now() - openSinceMs > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS
      timer = setTimeout(dial, waitMs)
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
    }
  }
  const hangUp = () => {
    clearTimeout(timer)
    if (socket) endQuietly(socket)
  }
  const stop = onReturn(() => {
    hangUp()
    waitMs = FIRST_WAIT_MS
    dial()
  })
  dial()
  return {
    close: () => {
      stop()
      hangUp()
    },
  }
}
