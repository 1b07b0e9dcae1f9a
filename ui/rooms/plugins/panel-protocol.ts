// What the panel of a plugin and the page say to each other. What a panel says is looked at here before anything is
// made of it: its code is not this page's.

/** What the page is looked at in. */
export type Theme = 'light' | 'dark'

/** What a panel says. */
export type FromPanel =
  | { readonly type: 'read'; readonly id: number; readonly path: string }
  | { readonly type: 'watch'; readonly id: number; readonly stream_id: string }
  | { readonly type: 'unwatch'; readonly id: number }
  | { readonly type: 'send'; readonly id: number; readonly message: unknown }
  | { readonly type: 'height'; readonly height_px: number }

/** Why something was not done. */
export interface PanelProblem {
  readonly code: string
  readonly detail: string
}

/** What the page says, over the channel that it gives to a panel with `start`. */
export type ToPanel =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly problem: PanelProblem }
  | { readonly type: 'results'; readonly id: number; readonly results: unknown }
  | { readonly type: 'message'; readonly message: unknown }
  | { readonly type: 'theme'; readonly theme: Theme }
  | { readonly type: 'size'; readonly width_px: number; readonly height_px: number }

/** A longer message of a panel is refused. */
export const MAX_MESSAGE_BYTES = 64 * 1024

const MAX_PATH = 512
const MAX_STREAM_ID = 80

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= most

/** A value as JSON has it; undefined: it is none, or too long. */
export const asJson = (value: unknown): unknown => {
  try {
    const text = JSON.stringify(value)
    return text === undefined || text.length > MAX_MESSAGE_BYTES ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a panel has said; undefined: nothing that is known here. */
export const readMessage = (data: unknown): FromPanel | undefined => {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, id, path, stream_id, message, height_px } = data as Readonly<Record<string, unknown>>
  if (type === 'height')
    return typeof height_px === 'number' && Number.isFinite(height_px) ? { type, height_px } : undefined
  if (!isId(id)) return undefined
  if (type === 'read') return isText(path, MAX_PATH) ? { type, id, path } : undefined
  if (type === 'watch') return isText(stream_id, MAX_STREAM_ID) ? { type, id, stream_id } : undefined
  if (type === 'unwatch') return { type, id }
  return type === 'send' ? { type, id, message } : undefined
}

/** Whether a frame asks for its channel. */
export const isReady = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && (data as { readonly vedette?: unknown }).vedette === 'ready'

/**
 * What panels may read, where their plugin may: what the device sees and how it does, and nothing of who may do what.
 * Each is the beginning of a path, up to its end or a slash.
 */
const READABLE = [
  ...['/v1/streams', '/v1/pipelines', '/v1/localization', '/v1/health', '/v1/results', '/v1/device/metrics'],
  ...['/v1/device/nt4', '/v1/device/team', '/v1/device/hostname', '/v1/nt4', '/v1/calibrations', '/v1/cameras'],
]

/** Whether a panel may read an address: one of this device, without any way around. */
export const mayRead = (path: string): boolean => {
  if (!/^\/v1\/[\w.~:/-]*(\?[\w.~:/,=&%+-]*)?$/.test(path) || /\/\.|\/\//.test(path)) return false
  const [plain = ''] = path.split('?')
  return READABLE.some((each) => plain === each || plain.startsWith(`${each}/`))
}
