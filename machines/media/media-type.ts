// What can be stored as a media item.

const TYPES = {
  'image/jpeg': { extension: 'jpg', kind: 'picture' },
  'image/png': { extension: 'png', kind: 'picture' },
  'video/mp4': { extension: 'mp4', kind: 'recording' },
  'video/quicktime': { extension: 'mov', kind: 'recording' },
  'application/onnx': { extension: 'onnx', kind: 'model' },
} as const

/** A media type of an item: that of its content, whatever its sender called it. */
export type MediaType = keyof typeof TYPES

/** What an item is. An uploaded video is a recording too. */
export type MediaKind = (typeof TYPES)[MediaType]['kind']

/** All of them. */
export const MEDIA_KINDS = [...new Set(Object.values(TYPES).map(({ kind }) => kind))]

/** All of them. */
export const MEDIA_TYPES = Object.keys(TYPES) as readonly MediaType[]

/** Without a dot. */
export const extensionOf = (type: MediaType): string => TYPES[type].extension

export const kindOf = (type: MediaType): MediaKind => TYPES[type].kind

/** What the extension of a name says. */
export const typeOfName = (name: string): MediaType | undefined =>
  MEDIA_TYPES.find((type) => name.endsWith(`.${extensionOf(type)}`))
