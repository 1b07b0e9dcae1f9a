// A bundle on its way to the device, in pieces: what is on the disk there stays when the link is lost, when this page
// is closed and when the device is switched off, and is gone on with (the protocol is tus 1.0).
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { type Problem, problemOf } from '../../api/client.ts'
import { askForToken } from '../../state/sign-in.ts'

const UPLOAD = '/v1/ota/upload'
const PIECE_BYTES = 4 * 1024 * 1024 // what is lost with a link that breaks
const PAUSE_MS = 1000
const GIVE_UP_MS = 60_000 // a cable is back by then, a service has started again, and a broken connection is given up

/** What this page is sending. */
interface Sending {
  /** undefined: nothing. */
  readonly fileName: string | undefined
  /** Why the last one was not taken. */
  readonly problem: Problem | undefined
}

const sending = createStore({
  context: { fileName: undefined, problem: undefined } as Sending,
  on: {
    began: (_, { fileName }: { fileName: string }) => ({ fileName, problem: undefined }),
    ended: (_, { problem }: { problem?: Problem }) => ({ fileName: undefined, problem }),
  },
})

let abort: AbortController | undefined

/** What this page is sending, and why the last one was not taken. */
export const useSending = (): Sending => useSelector(sending, ({ context }) => context)

/** Stops. What is on the device stays there. */
export const stopSending = (): void => abort?.abort()

/** An upload that has begun, as the device knows it. */
export interface Begun {
  readonly id: string
  readonly total_bytes: number | null
}

/** Sends a bundle, from where the device has it: begun is what it was sent of before, null when nothing. */
export const sendBundle = async (file: File, begun: Begun | null): Promise<void> => {
  const mine = new AbortController()
  abort = mine
  sending.trigger.began({ fileName: file.name })
  const problem = await send(file, begun, mine.signal).catch((error: unknown) => {
    if (mine.signal.aborted) return undefined
    throw error
  })
  sending.trigger.ended(problem ? { problem } : {})
}

const send = async (file: File, begun: Begun | null, signal: AbortSignal): Promise<Problem | undefined> => {
  if (begun && begun.total_bytes !== file.size)
    return { code: 'upload.other_file', detail: 'That is another file than the one that was begun: its size differs.' }
  const path = begun ? `${UPLOAD}/${encodeURIComponent(begun.id)}` : await create(file, signal)
  if (typeof path !== 'string') return path
  let offset = begun ? null : 0 // null: the device is to be asked
  for (let sentMs = performance.now(); ; ) {
    const isPiece = offset !== null
    const answer = await (offset === null ? request('HEAD', path, { signal }) : sendPiece(path, file, offset, signal))
    if (answer?.ok) {
      offset = Number(answer.headers.get('Upload-Offset'))
      if (!isPiece) continue
      if (offset >= file.size) return undefined
      sentMs = performance.now()
    } else {
      if (!mayComeBack(answer) || performance.now() - sentMs > GIVE_UP_MS) return refusalOf(answer)
      offset = null
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

const BUSY = 409 // the connection that broke is not given up there yet
const STARTING = 503

const mayComeBack = (answer: Response | undefined): boolean =>
  answer === undefined || answer.status === BUSY || answer.status === STARTING

const AWAY: Problem = {
  code: 'service.away',
  detail: 'The connection to the device was lost. Choose the file again to go on where it stopped.',
}

/** undefined: no answer. */
const request = async (method: string, path: string, options: RequestInit): Promise<Response | undefined> => {
  try {
    return await fetch(path, { ...options, method, headers: { 'Tus-Resumable': '1.0.0', ...options.headers } })
  } catch (error) {
    if (options.signal?.aborted) throw error
    return undefined
  }
}

const create = async (file: File, signal: AbortSignal): Promise<string | Problem> => {
  const answer = await request('POST', UPLOAD, { headers: { 'Upload-Length': `${file.size}` }, signal })
  return answer?.ok ? new URL(answer.headers.get('Location') ?? '', location.href).pathname : refusalOf(answer)
}

const sendPiece = (path: string, file: File, offset: number, signal: AbortSignal): Promise<Response | undefined> =>
  request('PATCH', path, {
    headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': `${offset}` },
    body: file.slice(offset, offset + PIECE_BYTES),
    signal,
  })

const refusalOf = async (answer: Response | undefined): Promise<Problem> => {
  if (!answer) return AWAY
  if (answer.status === 401) askForToken()
  return problemOf(await answer.json().catch(() => undefined), answer)
}
