// Which streams localization uses, and why not the others.
import type { LocalizationConfig } from './config.ts'
import type { StreamReason } from './reasons.ts'
import type { UsedStream } from './solve-document.ts'

/** What is known of a stream at the moment. */
export interface StreamFacts {
  readonly streamId: string
  /** It is meant for no robot. */
  readonly isInternal: boolean
  /** Pictures come. */
  readonly isLive: boolean
  /** Whether its pipeline looks for tags; undefined: nobody knows yet. */
  readonly looksForTags: boolean | undefined
  readonly hasLens: boolean
  /** Somebody has said where the camera sits on the robot. */
  readonly hasMount: boolean
  /** The field map by which it is opened. */
  readonly mapId: string
}

/** Whether the config chooses a stream; by `all` those that are meant for robots. */
const isChosen = ({ streams }: Pick<LocalizationConfig, 'streams'>, { streamId, isInternal }: StreamFacts): boolean =>
  streams === 'all' ? !isInternal : streams.includes(streamId)

/** Why a stream could not be used whatever the map is. */
const whyNot = (config: Pick<LocalizationConfig, 'streams'>, stream: StreamFacts): StreamReason | null => {
  if (!isChosen(config, stream)) return 'not_chosen'
  if (!stream.isLive || stream.looksForTags === undefined) return 'not_live'
  if (!stream.looksForTags) return 'no_tags_in_pipeline'
  if (!stream.hasLens) return 'no_lens'
  return stream.hasMount ? null : 'no_pose'
}

/**
 * The map to solve by: the one that the config names, else the one that most of the streams use which could be used;
 * of several, the first. Where none could be used, the one that most of the chosen streams use.
 */
export const mapIdIn = (
  config: Pick<LocalizationConfig, 'streams' | 'map_id'>,
  streams: readonly StreamFacts[],
): string | undefined => {
  if (config.map_id !== null) return config.map_id
  const usable = streams.filter((stream) => whyNot(config, stream) === null)
  const counted = new Map<string, number>()
  for (const { mapId } of usable.length > 0 ? usable : streams.filter((stream) => isChosen(config, stream)))
    counted.set(mapId, (counted.get(mapId) ?? 0) + 1)
  const most = Math.max(0, ...counted.values())
  return [...counted].find(([, count]) => count === most)?.[0]
}

/** map: the one that is solved by; isKnown: there is such a map. */
export const streamUses = (
  config: Pick<LocalizationConfig, 'streams'>,
  streams: readonly StreamFacts[],
  map: { readonly id: string | undefined; readonly isKnown: boolean },
): readonly UsedStream[] =>
  streams.map((stream) => {
    const reason = whyNot(config, stream) ?? whyNotBy(map, stream)
    return { streamId: stream.streamId, used: reason === null, reason }
  })

const whyNotBy = (
  { id, isKnown }: { readonly id: string | undefined; readonly isKnown: boolean },
  { mapId }: StreamFacts,
): StreamReason | null => {
  if (!isKnown) return 'no_map'
  return mapId === id ? null : 'other_map'
}
