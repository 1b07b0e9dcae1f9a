// What becomes of a profile that is imported: the orders that carry it out, and what is told of them. Pure.
import { type LocalizationConfig, wholeLocalizationConfig } from '../localization/config.ts'
import { LOCALIZATION_DOCUMENT, localizationCollection } from '../localization/config-collection.ts'
import { chosenStreams, repeatedIn } from '../localization/config-flaws.ts'
import { type ExternalSource, externalSourceCollection, wholeExternalSource } from '../localization/external/source.ts'
import type { FieldMap, MapAbout, MapHash } from '../localization/field-map.ts'
import { importedMapCollection } from '../localization/maps/imported.ts'
import { readFieldMap } from '../localization/maps/read-map.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import { deleteOrder, mergeOrder, type PartOrder, putOrder } from '../settings/commit.ts'
import { isSameJson } from '../settings/same-json.ts'
import { streamCollection } from '../stream/collection.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import { cameraUidOf } from '../stream/part-names.ts'
import { pendingPoseCollection } from './pending-pose.ts'
import type { SentContent } from './profile.ts'
import { ROBOT, type RobotDimensions, rigCollection } from './robot.ts'

/** What is here before. */
export interface Present {
  readonly config: LocalizationConfig
  readonly maps: ReadonlyMap<string, FieldMap>
  readonly about: ReadonlyMap<string, MapAbout>
  readonly hash: MapHash
  readonly sources: Readonly<Record<string, ExternalSource>>
  readonly streams: readonly CanonicalManifest[]
  readonly robot: Partial<RobotDimensions>
}

/** How it is imported. */
export interface ImportOptions {
  readonly mode: 'replace' | 'merge'
  /** What becomes of a map whose id is that of another one. undefined: it is refused. */
  readonly onConflict: 'replace' | 'rename' | undefined
}

/** What became of a part of a profile. */
export interface DonePart {
  readonly part: 'config' | 'map' | 'source' | 'robot' | 'pose'
  readonly id: string
  readonly action: 'same' | 'added' | 'replaced' | 'renamed' | 'removed' | 'pending'
}

/** What is to be done. */
export interface ImportPlan {
  readonly orders: readonly PartOrder[]
  readonly config: LocalizationConfig
  readonly done: readonly DonePart[]
  /** Sentences for people. */
  readonly warnings: readonly string[]
}

/** Some part of a plan. */
type Piece = Omit<ImportPlan, 'config'>

const CONTENT = '/content'

/** The plan, or what is wrong with the content; pointers lead into the envelope. */
export const planImport = (
  content: SentContent,
  present: Present,
  options: ImportOptions,
): ImportPlan | readonly SchemaError[] => {
  const maps = planMaps(content.maps, present, options)
  if ('flaws' in maps) return maps.flaws
  const config = planConfig(content, { present, options, renamed: maps.renamed })
  const sources = planSources(content, present, options)
  const rig = planRig(content, present, options)
  const flaws = [...config.flaws, ...sources.flaws, ...rig.flaws]
  if (flaws.length > 0) return flaws
  const pieces: readonly Piece[] = [maps, config, sources, rig]
  return {
    config: config.value,
    orders: pieces.flatMap(({ orders }) => orders),
    done: pieces.flatMap(({ done }) => done),
    warnings: pieces.flatMap(({ warnings }) => warnings),
  }
}

/** renamed: the ids that maps have here, by those that they have in the profile. */
type PlannedMaps = Piece & { readonly renamed: ReadonlyMap<string, string> }

const planMaps = (
  sent: SentContent['maps'],
  present: Present,
  { onConflict }: ImportOptions,
): PlannedMaps | { readonly flaws: readonly SchemaError[] } => {
  const orders: PartOrder[] = []
  const done: DonePart[] = []
  const flaws: SchemaError[] = []
  const renamed = new Map<string, string>()
  const taken = new Set([...present.maps.keys(), ...sent.map(({ id }) => id)])
  for (const [n, each] of sent.entries()) {
    const at = `${CONTENT}/maps/${n}`
    const read = readFieldMap(each, { names: each })
    const isTwice = sent.findIndex(({ id }) => id === each.id) < n
    if (isTwice) flaws.push({ pointer: `${at}/id`, message: `is ${quote(each.id)} once more` })
    if (!read.ok) flaws.push(...read.errors.map((flaw) => ({ ...flaw, pointer: at + flaw.pointer })))
    if (isTwice || !read.ok) continue
    const { map } = read
    const here = present.maps.get(map.id)
    const put = (id: string, action: DonePart['action']) => {
      renamed.set(map.id, id)
      orders.push(putOrder(importedMapCollection, id, { ...map, id }))
      done.push({ part: 'map', id, action })
    }
    if (!here) put(map.id, 'added')
    else if (present.hash(here) === present.hash(map)) {
      renamed.set(map.id, map.id)
      done.push({ part: 'map', id: map.id, action: 'same' })
    } else if (onConflict === 'rename') {
      const id = freeMapId(map.id, taken)
      taken.add(id)
      put(id, 'renamed')
    } else if (onConflict === 'replace' && present.about.get(map.id)?.origin !== 'built_in') put(map.id, 'replaced')
    else flaws.push({ pointer: `${at}/id`, message: conflictOf(map, here, { present, onConflict }) })
  }
  return flaws.length > 0 ? { flaws } : { orders, done, warnings: [], renamed }
}

interface Conflict extends Pick<ImportOptions, 'onConflict'> {
  readonly present: Present
}

const conflictOf = (map: FieldMap, here: FieldMap, { present: { hash }, onConflict }: Conflict): string =>
  onConflict === 'replace'
    ? `is ${quote(map.id)}, which is built in and cannot be replaced; say on_conflict=rename`
    : oneLine`
        is ${quote(map.id)}, and there is another map of that id here (${hash(here)}, and this one is ${hash(map)}); say
        on_conflict=replace or rename
      `

const MAX_MAP_ID = 60

const freeMapId = (id: string, taken: ReadonlySet<string>): string => {
  for (let number = 2; ; number++) {
    const end = `-${number}`
    const free = `${id.slice(0, MAX_MAP_ID - end.length)}${end}`
    if (!taken.has(free)) return free
  }
}

interface ConfigParts {
  readonly present: Present
  readonly options: ImportOptions
  readonly renamed: ReadonlyMap<string, string>
}

const planConfig = (
  { config: sent }: SentContent,
  { present, options, renamed }: ConfigParts,
): Piece & { readonly value: LocalizationConfig; readonly flaws: readonly SchemaError[] } => {
  const at = `${CONTENT}/config`
  const whole = wholeLocalizationConfig(sent)
  const map_id = whole.map_id === null ? null : (renamed.get(whole.map_id) ?? whole.map_id)
  const isHere = map_id === null || present.maps.has(map_id) || [...renamed.values()].includes(map_id)
  const kept = present.config.ignored.filter(({ tag_id }) => whole.ignored.every((tag) => tag.tag_id !== tag_id))
  const value = { ...whole, map_id, ignored: [...whole.ignored, ...(options.mode === 'merge' ? kept : [])] }
  const away = chosenStreams(value).filter((id) => !present.streams.some((stream) => stream.id === id))
  return {
    value,
    flaws: [
      ...repeatedIn(whole).map((flaw) => ({ ...flaw, pointer: at + flaw.pointer })),
      ...(isHere
        ? []
        : [{ pointer: `${at}/map_id`, message: `is ${quote(map_id)}, which is neither here nor in the profile` }]),
    ],
    orders: [putOrder(localizationCollection, LOCALIZATION_DOCUMENT, value)],
    done: [
      { part: 'config', id: LOCALIZATION_DOCUMENT, action: isSameJson(value, present.config) ? 'same' : 'replaced' },
    ],
    warnings: away.map((id) => `there is no stream ${quote(id)} here; it is used as soon as there is one`),
  }
}

const planSources = (
  { sources }: SentContent,
  present: Present,
  { mode }: ImportOptions,
): Piece & { readonly flaws: readonly SchemaError[] } => {
  const at = `${CONTENT}/sources`
  const ids = sources.map(({ id }) => id)
  const flaws: SchemaError[] = []
  const orders: PartOrder[] = []
  const done: DonePart[] = []
  const gone = mode === 'replace' ? Object.keys(present.sources).filter((id) => !ids.includes(id)) : []
  // first, so that there is room for those that come
  for (const id of gone) {
    orders.push(deleteOrder(externalSourceCollection, id))
    done.push({ part: 'source', id, action: 'removed' })
  }
  for (const [n, { id, spec }] of sources.entries()) {
    const whole = wholeExternalSource(spec)
    if (ids.indexOf(id) < n) flaws.push({ pointer: `${at}/${n}/id`, message: `is ${quote(id)} once more` })
    if (!('kind' in whole)) {
      flaws.push(...whole.map((flaw) => ({ ...flaw, pointer: `${at}/${n}/spec${flaw.pointer}` })))
      continue
    }
    const here = Object.hasOwn(present.sources, id) ? present.sources[id] : undefined
    orders.push(putOrder(externalSourceCollection, id, whole))
    done.push({ part: 'source', id, action: !here ? 'added' : isSameJson(here, whole) ? 'same' : 'replaced' })
  }
  return { flaws, orders, done, warnings: [] }
}

const planRig = (
  { rig: { robot, cameras } }: SentContent,
  present: Present,
  { mode }: ImportOptions,
): Piece & { readonly flaws: readonly SchemaError[] } => {
  const measured = mode === 'merge' ? { ...present.robot, ...robot } : robot
  const uids = cameras.map(({ camera_uid }) => camera_uid)
  const poses = cameras.map((camera) => planPose(camera, present))
  return {
    flaws: uids.flatMap((uid, n) =>
      uids.indexOf(uid) < n
        ? [{ pointer: `${CONTENT}/rig/cameras/${n}/camera_uid`, message: `is ${quote(uid)} once more` }]
        : [],
    ),
    orders: [putOrder(rigCollection, ROBOT, measured), ...poses.flatMap(({ orders }) => orders)],
    done: [
      { part: 'robot', id: ROBOT, action: isSameJson(measured, present.robot) ? 'same' : 'replaced' },
      ...poses.flatMap(({ done }) => done),
    ],
    warnings: poses.flatMap(({ warnings }) => warnings),
  }
}

const NOTHING: Piece = { orders: [], done: [], warnings: [] }

const planPose = (
  { camera_uid: id, name, pose, lens }: SentContent['rig']['cameras'][number],
  { streams }: Present,
): Piece => {
  if (!pose) return NOTHING
  const stream = streams.find((each) => cameraUidOf(each) === id)
  if (!stream)
    return {
      orders: [putOrder(pendingPoseCollection, id, { name, pose })],
      done: [{ part: 'pose', id, action: 'pending' }],
      warnings: [`the camera ${quote(id)} (${quote(name)}) is not here; its pose waits for a stream that has it`],
    }
  const { intrinsics } = stream
  const isOther = lens && intrinsics && (lens.width !== intrinsics.width_px || lens.height !== intrinsics.height_px)
  const isSame = stream.pose !== undefined && isSameJson(stream.pose, pose)
  return {
    orders: isSame ? [] : [mergeOrder(streamCollection, stream.id, { pose })],
    done: [{ part: 'pose', id, action: isSame ? 'same' : stream.pose ? 'replaced' : 'added' }],
    warnings: isOther
      ? [
          oneLine`
            the camera ${quote(id)} is calibrated for ${intrinsics.width_px}x${intrinsics.height_px} here, and was for
            ${lens.width}x${lens.height}: its pose is taken all the same
          `,
        ]
      : [],
  }
}
