// What the endpoints of streams are made of.
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_DESKS } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import type { Given } from '../../machines/token.ts'
import { MEDIA } from '../../native/media/port.ts'

export const streamNeeds = { directory: DIRECTORY, desks: STREAM_DESKS, maps: FIELD_MAPS, media: MEDIA }

/** desks: of all stored streams; one follows its manifest. maps: all that are known. media: where files may lie. */
export type StreamParts = Given<typeof streamNeeds>
