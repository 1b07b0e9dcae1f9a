// Files on their way to the device. They go on while somebody is in another room; what is closed or left breaks off.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import type { Problem } from '../../api/client.ts'
import type { MediaItem } from '../../state/media.ts'
import { askForToken } from '../../state/sign-in.ts'

/** A file that is sent. */
export interface Upload {
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  readonly sentBytes: number
  /** `checking`: all of it is there, and the device looks whether it is what it says. */
  readonly state: 'waiting' | 'sending' | 'checking' | 'stored' | 'failed'
  /** Why it failed. */
  readonly problem?: Problem
  /** What it has become. */
  readonly item?: MediaItem
}

const MAX_AT_ONCE = 2 // a browser has six connections to a device, and others want some too

const store = createStore({
  context: { uploads: [] as readonly Upload[] },
  on: {
    added: ({ uploads }, { upload }: { upload: Upload }) => ({ uploads: [...uploads, upload] }),
    changed: ({ uploads }, { id, change }: { id: number; change: Partial<Upload> }) => ({
      uploads: uploads.map((each) => (each.id === id ? { ...each, ...change } : each)),
    }),
    removed: ({ uploads }, { ids }: { ids: readonly number[] }) => ({
      uploads: uploads.filter(({ id }) => !ids.includes(id)),
    }),
  },
})

let lastId = 0
const files = new Map<number, File>()
const requests = new Map<number, XMLHttpRequest>()

const known = (): readonly Upload[] => store.getSnapshot().context.uploads
const change = (id: number, to: Partial<Upload>) => store.trigger.changed({ id, change: to })

const AWAY: Problem = {
  code: 'service.away',
  detail: 'The connection to the device was lost before the file was there. Send it again.',
}

/** The body of an answer; undefined when it is none of this service's. */
const readAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const problemOf = ({ status, responseText }: XMLHttpRequest): Problem => {
  const { code, detail } = (readAnswer(responseText) ?? {}) as Partial<Problem>
  return { code: code ?? `http.${status}`, detail: detail ?? `The device answered ${status}.` }
}

const end = (id: number, to: Partial<Upload>): void => {
  files.delete(id)
  requests.delete(id)
  change(id, to)
  sendNext()
}

/** `fetch` does not tell how much of a body has gone. */
const send = (id: number, file: File): void => {
  const request = new XMLHttpRequest()
  requests.set(id, request)
  request.open('POST', `/v1/media?name=${encodeURIComponent(file.name.slice(0, 200))}`)
  request.setRequestHeader('Content-Type', 'application/octet-stream') // the device looks for itself what it is
  request.upload.onprogress = ({ loaded }) => change(id, { sentBytes: loaded })
  request.upload.onload = () => change(id, { state: 'checking', sentBytes: file.size })
  request.onerror = () => end(id, { state: 'failed', problem: AWAY })
  request.onload = () => {
    if (request.status === 201) return end(id, { state: 'stored', item: readAnswer(request.responseText) as MediaItem })
    if (request.status === 401) askForToken()
    end(id, { state: 'failed', problem: problemOf(request) })
  }
  change(id, { state: 'sending' })
  request.send(file)
}

const sendNext = (): void => {
  for (const { id, state } of known()) {
    const file = files.get(id)
    if (state === 'waiting' && file && requests.size < MAX_AT_ONCE) send(id, file)
  }
}

/** Sends files, some at once and the others after them. */
export const uploadFiles = (chosen: Iterable<File>): void => {
  for (const file of chosen) {
    lastId += 1
    files.set(lastId, file)
    const { name, size: sizeBytes } = file
    store.trigger.added({ upload: { id: lastId, name, sizeBytes, sentBytes: 0, state: 'waiting' } })
  }
  sendNext()
}

/** Breaks one off, and shows it no more. */
export const cancelUpload = (id: number): void => {
  requests.get(id)?.abort()
  requests.delete(id)
  files.delete(id)
  store.trigger.removed({ ids: [id] })
  sendNext()
}

/** Forgets those that have ended. */
export const forgetEnded = (): void =>
  store.trigger.removed({
    ids: known()
      .filter(({ state }) => state === 'stored' || state === 'failed')
      .map(({ id }) => id),
  })

/** All that were begun and not forgotten. */
export const useUploads = (): readonly Upload[] => useSelector(store, ({ context }) => context.uploads)
