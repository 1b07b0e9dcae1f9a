// The worker that draws pictures, as the page sees it: one for all of them, made with the first one.
import { onReturn } from '../api/feed.ts'
import { atBeat } from '../state/beat.ts'
import { complain } from '../state/page-fault.ts'
import type { Order, Report } from './messages.ts'

/** The address of the worker, which the build knows. */
declare const PICTURE_WORKER: string

/** Facts of frames are told that often at most, and at these moments. */
const FACTS_EVERY_MS = 250

type Listener = (report: Report) => void

type FrameReport = Extract<Report, { readonly kind: 'frame' }>

interface Picture {
  readonly listener: Listener
  /** The newest of its frames that were told of; undefined: none was. */
  newest?: FrameReport
  /** Its facts wait to be told; takes that back. */
  stopWaiting?: (() => void) | undefined
}

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

const pictures = new Map<number, Picture>()
let worker: Worker | undefined
let lastId = 0

const hear = (report: Report): void => {
  const picture = pictures.get(report.id)
  if (!picture) return
  if (report.kind === 'frame') hearFrame(picture, report)
  else picture.listener(report)
}

/** Of the first frame, and of one that is held, the page says at once what it shows. */
const hearFrame = (picture: Picture, report: FrameReport): void => {
  const isAtOnce = picture.newest === undefined || report.facts.isHeld
  picture.newest = report
  const tell = () => {
    picture.stopWaiting?.()
    picture.stopWaiting = undefined
    if (picture.newest) picture.listener(picture.newest)
  }
  if (isAtOnce) tell()
  else picture.stopWaiting ??= atBeat(FACTS_EVERY_MS, tell)
}

const start = (): Worker => {
  const made = new Worker(addressOf(), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Report>) => hear(data))
  made.addEventListener('error', ({ message }) => complain(new Error(message || 'pictures cannot be drawn')))
  return made
}

onReturn(() => {
  for (const id of pictures.keys()) worker?.postMessage({ kind: 'redial', id } satisfies Order)
})

type Without<T, Key extends string> = T extends unknown ? Omit<T, Key> : never
type Told = Exclude<Without<Order, 'id'>, { readonly kind: 'open' | 'close' | 'redial' }>

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
  pictures.set(id, { listener })
  const offscreen = canvas.transferControlToOffscreen()
  target.postMessage({ kind: 'open', id, canvas: offscreen, look } satisfies Order, [offscreen])
  return {
    tell: (order) => target.postMessage({ ...order, id } satisfies Order),
    close: () => {
      pictures.get(id)?.stopWaiting?.()
      pictures.delete(id)
      target.postMessage({ kind: 'close', id } satisfies Order)
    },
  }
}
