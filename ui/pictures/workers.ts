// The worker that draws pictures, as the page sees it: one for all of them, made with the first one.
import { complain } from '../state/page-fault.ts'
import type { Order, Report } from './messages.ts'

/** The address of the worker, which the build knows. */
declare const PICTURE_WORKER: string

type Listener = (report: Report) => void

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string }
}

const trustedTypes = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes

/** A browser that asks for a policy gets one that lets nothing through but the page's own worker. */
const addressOf = (): string => {
  const policy = trustedTypes?.createPolicy('picture-worker', {
    createScriptURL: (url) => {
      if (url !== PICTURE_WORKER) throw new TypeError(`${url} is no worker of this page`)
      return url
    },
  })
  return policy?.createScriptURL(PICTURE_WORKER) ?? PICTURE_WORKER
}

const listeners = new Map<number, Listener>()
let worker: Worker | undefined
let lastId = 0

const start = (): Worker => {
  const made = new Worker(addressOf(), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Report>) => listeners.get(data.id)?.(data))
  made.addEventListener('error', ({ message }) => complain(new Error(message || 'pictures cannot be drawn')))
  return made
}

type Without<T, Key extends string> = T extends unknown ? Omit<T, Key> : never
type Told = Exclude<Without<Order, 'id'>, { readonly kind: 'open' | 'close' }>

/** What a picture can be told. */
export interface PictureHandle {
  readonly tell: (order: Told) => void
  readonly close: () => void
}

/** Has the worker draw pictures on a canvas that nobody else draws on. */
export const drawOn = (
  canvas: HTMLCanvasElement,
  look: Extract<Order, { kind: 'open' }>['look'],
  listener: Listener,
): PictureHandle => {
  worker ??= start()
  const target = worker
  lastId += 1
  const id = lastId
  listeners.set(id, listener)
  const offscreen = canvas.transferControlToOffscreen()
  target.postMessage({ kind: 'open', id, canvas: offscreen, look } satisfies Order, [offscreen])
  return {
    tell: (order) => target.postMessage({ ...order, id } satisfies Order),
    close: () => {
      listeners.delete(id)
      target.postMessage({ kind: 'close', id } satisfies Order)
    },
  }
}
