// What several rows of localization show.
import { DEFAULT_LOCALIZATION_CONFIG } from '../../machines/localization/config.ts'
import { StreamReason } from '../../machines/localization/reasons.ts'
import { UsedMap } from '../../machines/localization/solve-document.ts'
import { LocalizationState } from '../../machines/localization/state.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const

const StreamUse = Type.Object(
  {
    stream_id: StreamId,
    used: Type.Boolean({ description: 'Whether its camera is used.' }),
    reason: orNull(StreamReason, 'Why not; null: it is used.'),
  },
  { ...strict, title: 'LocalizationStreamUse', description: 'A stream, and whether its camera is used.' },
)

/** What is the case with localization. */
export const LocalizationStatus = Type.Object(
  {
    state: LocalizationState,
    map: orNull(UsedMap, 'null: there is none.'),
    streams: Type.Array(StreamUse, { description: 'All streams of this device.' }),
  },
  { ...strict, title: 'LocalizationStatus', description: 'What is the case with localization.' },
)

export const usedMapExample = {
  id: 'demo',
  hash: '1f3a9c0d5b6e47f8a1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728',
}

export const configExample = {
  ...DEFAULT_LOCALIZATION_CONFIG,
  map_id: 'demo',
  streams: ['front'],
  ignored: [{ tag_id: 12, why: 'hangs loose' }],
}

export const statusExample = {
  state: 'tracking',
  map: usedMapExample,
  streams: [{ stream_id: 'front', used: true, reason: null }],
}
