// Which items a request lists, in which order, and from where on.
import type { MediaItem } from './item.ts'
import type { MediaKind } from './media-type.ts'

/** What items can be put in order by. */
export const MEDIA_ORDERS = ['-created', 'created', 'name', '-name', 'size', '-size'] as const
export type MediaOrder = (typeof MEDIA_ORDERS)[number]

/** after: the place of the last item of the page before. */
export interface MediaQuery {
  readonly order: MediaOrder
  readonly limit: number
  readonly kind?: MediaKind
  readonly stream_id?: string
  /** Only items that were begun then or later, Unix time. */
  readonly created_from_ms?: number
  /** Only items that were begun earlier, Unix time. */
  readonly created_before_ms?: number
  readonly after?: MediaPlace
}

/** Where an item stands in an order: what it is put in order by, and a number of its own for those that are equal. */
export interface MediaPlace {
  readonly value: string | number
  readonly position: number
}

/** A page, and the place of its last item when there are more. */
export interface MediaPage {
  readonly items: readonly MediaItem[]
  readonly next: MediaPlace | null
}

/** A place as text that a client hands back. */
export const cursorOf = (order: MediaOrder, { value, position }: MediaPlace): string =>
  `${order}.${position.toString(36)}.${typeof value === 'number' ? value : value.replaceAll('.', '~')}`

/** The place that a client handed back; undefined: it is none of this order. */
export const placeOf = (order: MediaOrder, cursor: string): MediaPlace | undefined => {
  const [of, position = '', value = '', ...rest] = cursor.split('.')
  if (of !== order || rest.length > 0 || !/^[0-9a-z]{1,11}$/.test(position)) return undefined
  const isText = order.endsWith('name')
  if (!isText && !/^\d{1,15}$/.test(value)) return undefined
  return { position: Number.parseInt(position, 36), value: isText ? value.replaceAll('~', '.') : Number(value) }
}
