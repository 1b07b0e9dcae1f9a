// A package on its way to the device: one at a time, with how far it is.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import type { Problem } from '../../api/client.ts'
import { plugins } from '../../state/plugins.ts'
import { askForToken } from '../../state/sign-in.ts'

/** What is sent now, or was last. */
export interface SentPackage {
  readonly state: 'none' | 'sending' | 'checking' | 'refused' | 'there'
  readonly fileName: string
  readonly sentBytes: number
  readonly sizeBytes: number
  /** Why it was refused. */
  readonly problem: Problem | undefined
}

const NONE: SentPackage = { state: 'none', fileName: '', sentBytes: 0, sizeBytes: 0, problem: undefined }

const store = createStore({
  context: NONE,
  on: { changed: (now, { to }: { to: Partial<SentPackage> }) => ({ ...now, ...to }) },
})

export const useSentPackage = (): SentPackage => useSelector(store, ({ context }) => context)

const change = (to: Partial<SentPackage>): void => store.trigger.changed({ to })

const AWAY: Problem = {
  code: 'service.away',
  detail: 'The connection to the device was lost before the package was there. Send it again.',
}

const problemIn = ({ status, responseText }: XMLHttpRequest): Problem => {
  try {
    return JSON.parse(responseText) as Problem
  } catch {
    return { code: `http.${status}`, detail: `The device answered ${status}.` }
  }
}

let last: XMLHttpRequest | undefined

/** Sends a package to be checked; nothing of it runs. `fetch` does not tell how much of a body has gone. */
export const sendPackage = (file: File): void => {
  last?.abort()
  const request = new XMLHttpRequest()
  last = request
  const isMine = () => last === request
  request.open('POST', '/v1/plugins/upload')
  request.setRequestHeader('Content-Type', 'application/zip')
  request.upload.onprogress = ({ loaded }) => isMine() && change({ sentBytes: loaded })
  request.upload.onload = () => isMine() && change({ state: 'checking', sentBytes: file.size })
  request.onerror = () => isMine() && change({ state: 'refused', problem: AWAY })
  request.onload = () => {
    if (!isMine()) return
    if (request.status === 401) askForToken()
    if (request.status === 201) {
      change({ state: 'there' })
      plugins.refresh()
    } else change({ state: 'refused', problem: problemIn(request) })
  }
  change({ state: 'sending', fileName: file.name, sizeBytes: file.size, sentBytes: 0, problem: undefined })
  request.send(file)
}

/** Breaks it off. */
export const stopSending = (): void => {
  last?.abort()
  last = undefined
  change(NONE)
}
