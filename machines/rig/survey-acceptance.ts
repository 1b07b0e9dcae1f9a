// What becomes of map, rig and config when something of a survey is accepted, and when that is undone: orders that are
// carried out together. Pure.
import { type Fault, isFault } from '../errors/fault.ts'
import type { LocalizationConfig } from '../localization/config.ts'
import { LOCALIZATION_DOCUMENT, localizationCollection } from '../localization/config-collection.ts'
import type { FieldMap, MapHash } from '../localization/field-map.ts'
import { importedMapCollection } from '../localization/maps/imported.ts'
import { mapWith, type ProposedCamera, type ProposedTag } from '../localization/rig-and-map/proposal.ts'
import { type AcceptedSurvey, type StoredSurvey, surveyCollection } from '../localization/rig-and-map/stored-survey.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import { mergeOrder, type PartOrder, putOrder } from '../settings/commit.ts'
import { mergePatch } from '../settings/merge-patch.ts'
import { isSameJson } from '../settings/same-json.ts'
import { streamCollection } from '../stream/collection.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'

/** What is accepted. `wrong`: those of which the survey says that somebody should look at them. */
export interface Chosen {
  readonly tags: 'all' | 'wrong' | readonly Pick<ProposedTag, 'family' | 'id'>[]
  /** By the names of their streams. */
  readonly cameras: 'all' | 'wrong' | readonly string[]
  readonly errors: boolean
}

/** What is there before. */
export interface PresentRig {
  readonly config: LocalizationConfig
  readonly maps: ReadonlyMap<string, FieldMap>
  readonly hash: MapHash
  readonly streams: readonly CanonicalManifest[]
  readonly nowMs: number
}

/** A survey as it is stored. */
export interface KeptSurvey {
  readonly id: string
  readonly revision: number
  readonly value: StoredSurvey
}

const MAX_MAP_ID = 60
const MAX_MAP_NAME = 120

/**
 * The orders, or why nothing of it can be accepted now. The first one is of the survey itself. What was accepted of it
 * before is undone by them.
 */
export const planAcceptance = (kept: KeptSurvey, chosen: Chosen, present: PresentRig): readonly PartOrder[] | Fault => {
  if (!kept.value.accepted) return planFirst(kept, chosen, present)
  const before = restoredOf(kept.value, present)
  const orders = planFirst(kept, chosen, { ...present, ...before })
  if (isFault(orders)) return orders
  return [...orders.slice(0, 1), ...before.orders, ...orders.slice(1)]
}

const planFirst = (
  { id, revision, value: survey }: KeptSurvey,
  chosen: Chosen,
  present: PresentRig,
): readonly PartOrder[] | Fault => {
  const { proposal } = survey
  const map = present.maps.get(proposal.map.id)
  if (!map || present.hash(map) !== proposal.map.hash)
    return refused(`the map ${quote(proposal.map.id)} is not the one that was surveyed; survey once more`)
  const tags = pick(
    proposal.tags,
    chosen.tags,
    ({ family, id: tag }, other) => family === other.family && tag === other.id,
  )
  const cameras = pick(proposal.cameras, chosen.cameras, ({ stream_id }, other) => stream_id === other)
  if (!tags || !cameras) return refused('it says nothing of a tag or camera that is named')
  if (tags.length + cameras.length === 0 && !chosen.errors) return refused('nothing of it is chosen')
  const moved = cameras.find(({ stream_id, before }) => !isSameJson(streamOf(present, stream_id)?.pose, before))
  if (moved) return refused(`the camera of ${quote(moved.stream_id)} sits elsewhere by now; survey once more`)
  const corrected = tags.length > 0 ? correctedMap(map, tags, id) : undefined
  const streams = changesOf(present.streams, { map, corrected, cameras })
  const { map_id, errors } = present.config
  const accepted: AcceptedSurvey = {
    accepted_at_ms: present.nowMs,
    map_id: corrected?.id ?? null,
    tag_count: tags.length,
    cameras: cameras.map(({ stream_id }) => stream_id),
    streams_before: streams.map(({ before }) => ({
      stream_id: before.id,
      map_id: before.map_id,
      pose: before.pose ?? null,
    })),
    has_errors: chosen.errors,
    config_before: { map_id, errors },
  }
  const config: LocalizationConfig = {
    ...present.config,
    map_id: corrected && map_id === map.id ? corrected.id : map_id,
    errors: chosen.errors ? { ...errors, ...proposal.errors } : errors,
  }
  return [
    putOrder(surveyCollection, id, { ...survey, accepted }, { expected_revisions: [revision] }),
    ...(corrected ? [putOrder(importedMapCollection, corrected.id, corrected)] : []),
    ...streams.map(({ before, patch }) => mergeOrder(streamCollection, before.id, patch)),
    putOrder(localizationCollection, LOCALIZATION_DOCUMENT, config),
  ]
}

/** Puts back what was there before. What somebody has changed since stays as it is, and so does the corrected map. */
export const planUndo = (
  { id, revision, value: survey }: KeptSurvey,
  present: Pick<PresentRig, 'config' | 'streams'>,
): readonly PartOrder[] | Fault => {
  if (!survey.accepted) return refused('nothing of it is accepted')
  const { orders, config } = restoredOf(survey, present)
  return [
    putOrder(surveyCollection, id, { ...survey, accepted: null }, { expected_revisions: [revision] }),
    ...orders,
    putOrder(localizationCollection, LOCALIZATION_DOCUMENT, config),
  ]
}

/** Config and streams as they are without what was accepted; orders: of the streams. */
const restoredOf = (
  { accepted, proposal }: StoredSurvey,
  { config, streams }: Pick<PresentRig, 'config' | 'streams'>,
): Pick<PresentRig, 'config' | 'streams'> & { readonly orders: readonly PartOrder[] } => {
  if (!accepted) return { config, streams, orders: [] }
  const { config_before: before } = accepted
  const isOfSurvey = accepted.has_errors && isSameJson(config.errors, { ...before.errors, ...proposal.errors })
  const restored = streams.map((stream) => {
    const was = accepted.streams_before.find(({ stream_id }) => stream_id === stream.id)
    const camera = proposal.cameras.find(({ stream_id }) => stream_id === stream.id)
    const isMoved = was && accepted.cameras.includes(stream.id) && isSameJson(stream.pose, camera?.after)
    const patch = {
      ...(isMoved && { pose: was.pose }),
      ...(was && stream.map_id === accepted.map_id && { map_id: was.map_id }),
    }
    return { stream, patch }
  })
  return {
    config: {
      ...config,
      map_id: accepted.map_id !== null && config.map_id === accepted.map_id ? before.map_id : config.map_id,
      errors: isOfSurvey ? before.errors : config.errors,
    },
    streams: restored.map(({ stream, patch }) => mergePatch(stream, patch) as CanonicalManifest),
    orders: restored.flatMap(({ stream: { id }, patch }) =>
      Object.keys(patch).length > 0 ? [mergeOrder(streamCollection, id, patch)] : [],
    ),
  }
}

const refused = (why: string): Fault => ({
  code: 'survey.not_possible',
  detail: `the survey cannot be taken so: ${why}`,
})

/** undefined: one that is named is not there. */
const pick = <Item extends { readonly is_wrong: boolean }, Name>(
  items: readonly Item[],
  chosen: 'all' | 'wrong' | readonly Name[],
  isNamed: (item: Item, name: Name) => boolean,
): readonly Item[] | undefined => {
  if (chosen === 'all') return items
  if (chosen === 'wrong') return items.filter(({ is_wrong }) => is_wrong)
  if (!chosen.every((name) => items.some((item) => isNamed(item, name)))) return undefined
  return items.filter((item) => chosen.some((name) => isNamed(item, name)))
}

const streamOf = ({ streams }: PresentRig, id: string) => streams.find((stream) => stream.id === id)

const correctedMap = (map: FieldMap, tags: readonly ProposedTag[], surveyId: string): FieldMap => {
  const end = `-${surveyId}`
  const id = `${map.id.slice(0, MAX_MAP_ID - end.length)}${end}`
  const name = oneLine`${map.name}, surveyed`.slice(0, MAX_MAP_NAME)
  return mapWith(map, tags, { id, name })
}

/** Streams that used the map use the corrected one; cameras that are accepted move. */
const changesOf = (
  streams: readonly CanonicalManifest[],
  to: {
    readonly map: FieldMap
    readonly corrected: FieldMap | undefined
    readonly cameras: readonly ProposedCamera[]
  },
) =>
  streams.flatMap((before) => {
    const camera = to.cameras.find(({ stream_id }) => stream_id === before.id)
    const isMapped = to.corrected !== undefined && before.map_id === to.map.id
    if (!camera && !isMapped) return []
    return [
      { before, patch: { ...(camera && { pose: camera.after }), ...(isMapped && { map_id: to.corrected?.id ?? '' }) } },
    ]
  })
