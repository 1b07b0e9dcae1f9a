// Orders that change the stored streams: what is checked before, and what the settings are told.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { firstError } from '../../machines/schema/errors.ts'
import { quote } from '../../machines/schema/quote.ts'
import { deleteOrder, type MergePatch, mergeOrder, putOrder } from '../../machines/settings/commit.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import { MAX_STREAMS, streamCollection } from '../../machines/stream/collection.ts'
import type { CanonicalManifest, StreamManifest } from '../../machines/stream/manifest.ts'
import { judgePaths, type MediaVerdict, mayBeLookedAt, pathErrors, pathsOf } from '../../machines/stream/media-roots.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'
import type { StreamParts } from './parts.ts'
import { ofStream } from './view.ts'

/** The order that stores a new stream, or why it cannot be. */
export const createStream = async (
  parts: StreamParts,
  call: Call<never, unknown, StreamManifest>,
): Promise<Command<'settings'> | Fault> => {
  const { body: manifest } = call
  if (manifest.id !== undefined && parts.streams.get(manifest.id))
    return fault('stream.exists', `there is a stream ${manifest.id} already; delete it first, or choose another id`)
  if (parts.streams.all().length >= MAX_STREAMS)
    return fault('stream.too_many', `there are ${MAX_STREAMS} streams already; delete one first`)
  const canonical = await canonicalStream(parts, call)
  if (isFault(canonical)) return canonical
  return putOrder(streamCollection, canonical.id, canonical, { create_only: true })
}

/** The order that changes what reads no files of a stored manifest; null removes a field. A new source is judged like that of a new stream. */
export const changeStream = (
  { params, expected }: Call<'id'>,
  patch: MergePatch<Omit<CanonicalManifest, 'source' | 'media_grants'>>,
): Command<'settings'> => mergeOrder(streamCollection, params.id, patch, expected)

/** The order that forgets a stream. */
export const deleteStream = ({ params, expected }: Call<'id'>): Command<'settings'> =>
  deleteOrder(streamCollection, params.id, expected)

/** The order that gives a stream another engine. */
export const restartStream = (parts: StreamParts, { params: { id } }: Call<'id'>): Command<'streams'> | Fault =>
  ofStream(parts, id, ({ manifest }) =>
    manifest.enabled
      ? ({ type: 'child.restart', id: `streams/${id}` } as const)
      : fault('actor.not_now', `the stream ${id} is disabled, so that nothing of it runs; enable it first`),
  )

/** The manifest with its id and every default filled in, or `manifest.invalid`. It may read no file that its sender may not let it read. */
export const canonicalStream = async (
  parts: StreamParts,
  call: Pick<Call<never, unknown, StreamManifest>, 'body' | 'administers'>,
): Promise<CanonicalManifest | Fault> => {
  const { body: manifest } = call
  const media = await judgeMedia(parts, call)
  const canonical = canonicalManifest(manifest, manifest.id ?? freeId(parts, manifest.alias))
  const errors = [
    ...(canonical.ok ? [] : canonical.errors),
    ...(media.ok ? [] : media.errors),
    ...mapErrors(parts, manifest.map_id),
  ]
  if (!canonical.ok || !media.ok || errors.length > 0)
    return fault('manifest.invalid', firstError(errors, 'the manifest'), { errors })
  return media.grants.length === 0 ? canonical.manifest : { ...canonical.manifest, media_grants: [...media.grants] }
}

/** granted: what the stream that is being changed may read already; nothing for a new one. */
const judgeMedia = async (
  { media }: StreamParts,
  { body, administers }: Pick<Call<never, unknown, StreamManifest>, 'body' | 'administers'>,
  granted: readonly string[] = [],
): Promise<MediaVerdict> => {
  const paths = pathsOf(body.source)
  if (paths.length === 0 || pathErrors(paths).length > 0) return { ok: true, grants: [] } // canonicalManifest says what is wrong
  const rules = { roots: await media.roots(), granted, administers }
  const found = paths.map(async (each) => ({
    ...each,
    place: mayBeLookedAt(each.path, rules) ? await media.realPlace(each.path) : null,
  }))
  return judgePaths(await Promise.all(found), rules)
}

const mapErrors = ({ maps }: StreamParts, mapId: string | undefined) =>
  mapId === undefined || maps().has(mapId)
    ? []
    : [
        {
          pointer: '/map_id',
          message: `is ${quote(mapId)}, which is no field map; GET /v1/localization/maps lists them`,
        },
      ]

/** An id made from the alias, with a number when it is taken. */
const freeId = ({ streams }: StreamParts, alias: string | undefined): string => {
  const slug = (alias ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 36) // leaves room for the number
    .replace(/^[^a-z]+|-+$/g, '') // ids begin with a letter
  const base = slug || 'stream'
  let id = base
  for (let n = 2; streams.get(id); n++) id = `${base}-${n}`
  return id
}
