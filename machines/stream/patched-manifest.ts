// A manifest that somebody changes as a whole, before it is checked like a new one.
import type { Fault } from '../errors/fault.ts'
import { firstError, schemaErrors } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { quote } from '../schema/quote.ts'
import { mergePatch } from '../settings/merge-patch.ts'
import { type CanonicalManifest, type SentManifest, StreamManifest } from './manifest.ts'
import { keptOfSource } from './sources/traits.ts'

/** What has an order of its own, which does more than write it down. */
const SWITCHED = ['slots', 'active_slot', 'own_pipeline'] as const

/**
 * The manifest as it would be sent with this change (RFC 7396; null: what stands there is to have its default again),
 * or `manifest.invalid`.
 */
export const patchedManifest = (
  { media_grants: _, ...stored }: CanonicalManifest,
  patch: Readonly<Record<string, unknown>>,
): SentManifest | Fault => {
  const refused = [...otherId(stored.id, patch), ...switched(patch)]
  if (refused.length > 0) return invalidManifest(refused)
  const merged = mergePatch({ ...stored, source: sourceFor(stored.source, patch.source) }, patch)
  const errors = schemaErrors(StreamManifest, merged)
  return errors.length > 0 ? invalidManifest(errors) : (merged as SentManifest)
}

/** Why a manifest is not taken. */
export const invalidManifest = (errors: readonly SchemaError[]): Fault => ({
  code: 'manifest.invalid',
  detail: firstError(errors, 'the manifest'),
  errors,
})

const otherId = (id: string, patch: Readonly<Record<string, unknown>>): readonly SchemaError[] =>
  !Object.hasOwn(patch, 'id') || patch.id === id
    ? []
    : [{ pointer: '/id', message: `is ${quote(patch.id)}; the stream ${id} keeps its id, create another one` }]

const switched = (patch: Readonly<Record<string, unknown>>): readonly SchemaError[] =>
  SWITCHED.filter((field) => Object.hasOwn(patch, field)).map((field) => ({
    pointer: `/${field}`,
    message: 'is not changed here; fill slots and choose one with switch_pipeline',
  }))

const sourceFor = (source: CanonicalManifest['source'], patch: unknown): unknown =>
  typeof patch === 'object' && patch !== null ? keptOfSource(source, { ...patch }) : source
