// Orders that change the stored streams: what is checked before, and what the settings are told.
import type { Command } from '../../actors/ask.ts'
import type { Directory } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/fault.ts'
import { quote } from '../../machines/quote.ts'
import { firstError } from '../../machines/schema-errors.ts'
import { canonicalManifest } from '../../machines/stream-canonical.ts'
import type { CanonicalManifest, StreamManifest } from '../../machines/stream-manifest.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { fault } from '../problem.ts'
import { STREAMS, storedStream, storedStreams, streamNotFound } from './view.ts'

/** Two cores carry a handful of streams; more than this is a mistake in a script. */
export const MAX_STREAMS = 16

/** The order that stores a new stream, or why it cannot be. */
export const createStream = (directory: Directory, manifest: StreamManifest): Command | Fault => {
  const taken = storedStreams(directory)
  if (manifest.id !== undefined && Object.hasOwn(taken, manifest.id))
    return fault('stream.exists', `there is a stream ${manifest.id} already; delete it first, or choose another id`)
  if (Object.keys(taken).length >= MAX_STREAMS)
    return fault('stream.too_many', `there are ${MAX_STREAMS} streams already; delete one first`)
  const canonical = canonicalStream(directory, manifest)
  if (isFault(canonical)) return canonical
  return { type: 'document.put', collection: STREAMS, id: canonical.id, value: canonical, create_only: true }
}

/** The order that changes some fields of a stored manifest; null removes a field. */
export const changeStream = (
  { directory, params, ifMatch }: Call<'id'>,
  patch: Readonly<Record<string, unknown>>,
): Command | Fault =>
  storedStream(directory, params.id)
    ? { type: 'document.merge', collection: STREAMS, id: params.id, patch, ...ifMatch }
    : streamNotFound(params.id)

/** The order that forgets a stream. */
export const deleteStream = ({ directory, params, ifMatch }: Call<'id'>): Command | Fault =>
  storedStream(directory, params.id)
    ? { type: 'document.delete', collection: STREAMS, id: params.id, ...ifMatch }
    : streamNotFound(params.id)

/** The order that gives a stream another engine. */
export const restartStream = ({ directory, params: { id } }: Call<'id'>): Command | Fault => {
  const stored = storedStream(directory, id)
  if (!stored) return streamNotFound(id)
  if (!stored.value.enabled)
    return fault('actor.not_now', `the stream ${id} is disabled, so that nothing of it runs; enable it first`)
  return { type: 'child.restart', id: `${STREAMS}/${id}` }
}

/** The manifest with its id and every default filled in, or `manifest.invalid`. */
export const canonicalStream = (directory: Directory, manifest: StreamManifest): CanonicalManifest | Fault => {
  const canonical = canonicalManifest(manifest, manifest.id ?? freeId(directory, manifest.alias))
  const errors = [...(canonical.ok ? [] : canonical.errors), ...mapErrors(directory, manifest.map_id)]
  if (!canonical.ok || errors.length > 0)
    return fault('manifest.invalid', firstError(errors, 'the manifest'), { errors })
  return canonical.manifest
}

const mapErrors = (directory: Directory, mapId: string | undefined) =>
  mapId === undefined || directory.maps().has(mapId)
    ? []
    : [
        {
          pointer: '/map_id',
          message: `is ${quote(mapId)}, which is no field map; GET /v1/localization/maps lists them`,
        },
      ]

/** An id made from the alias, with a number when it is taken. */
const freeId = (directory: Directory, alias: string | undefined): string => {
  const taken = storedStreams(directory)
  const slug = (alias ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 36) // leaves room for the number
    .replace(/^[^a-z]+|-+$/g, '') // ids begin with a letter
  const base = slug || 'stream'
  let id = base
  for (let n = 2; Object.hasOwn(taken, id); n++) id = `${base}-${n}`
  return id
}
