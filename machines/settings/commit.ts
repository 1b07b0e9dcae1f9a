// What a write means: the change it makes, or why it is refused. Pure, so that the check and the change are one step.

import type { Fault } from '../errors/fault.ts'
import { type Collection, type Collections, misfits } from './collection.ts'
import { mergePatch } from './merge-patch.ts'
import type { Commit, Settings } from './store.ts'

/**
 * The orders to the settings. expected_revision: the write is refused as stale when the document has another one. create_only: the write is
 * refused when the document exists. patch: RFC 7396.
 */
export type SettingsCommand =
  | {
      readonly type: 'document.put'
      readonly ask: number
      readonly collection: string
      readonly id: string
      readonly value: unknown
      readonly expected_revision?: number
      readonly create_only?: boolean
    }
  | {
      readonly type: 'document.merge'
      readonly ask: number
      readonly collection: string
      readonly id: string
      readonly patch: unknown
      readonly expected_revision?: number
    }
  | {
      readonly type: 'document.delete'
      readonly ask: number
      readonly collection: string
      readonly id: string
      readonly expected_revision?: number
    }

/** The reply's value after a write. value undefined = deleted. */
export type Written = Pick<Commit, 'revision' | 'collectionRevision' | 'value'>

/** The commit that carries a command out, or the fault that refuses it. What it leaves fits its collection. */
export const decide = (collections: Collections, settings: Settings, command: SettingsCommand): Commit | Fault => {
  const { collection, id } = command
  const documents = settings.documents[collection] ?? {}
  const kept = Object.hasOwn(documents, id) ? documents[id] : undefined // `constructor` is a valid id
  if (!kept && (command.type !== 'document.put' || command.expected_revision !== undefined)) return unknown(command)
  if (kept && command.type === 'document.put' && command.create_only) return alreadyThere(command, kept.revision)
  if (kept && command.expected_revision !== undefined && command.expected_revision !== kept.revision)
    return stale(command, kept.revision)
  const value = valueAfter(command, kept?.value)
  const refusal = value === undefined ? undefined : unfit(collections.get(collection), command, value)
  if (refusal) return refusal
  const limit = collections.get(collection)?.limit ?? 0
  if (!kept && Object.keys(documents).length >= limit) return tooMany(command, limit)
  const base = settings.bases[collection] ?? 0
  const revision = (kept?.revision ?? base) + 1
  return {
    collection,
    collectionRevision: (settings.revisions[collection] ?? 0) + 1,
    collectionBase: value === undefined ? Math.max(base, revision) : base,
    id,
    revision,
    value,
  }
}

/** `collection/id`: how a document is named in faults. */
export const nameOf = ({ collection, id }: { readonly collection: string; readonly id: string }): string =>
  `${collection}/${id}`

const valueAfter = (command: SettingsCommand, before: unknown): unknown => {
  if (command.type === 'document.delete') return undefined
  return command.type === 'document.put' ? command.value : mergePatch(before, command.patch)
}

const MOST_ERRORS = 16 // more would help nobody

/** A document of no collection is a bug of whoever orders it; it is refused like any other that does not fit. */
const unfit = (collection: Collection | undefined, command: SettingsCommand, value: unknown): Fault | undefined => {
  const errors = collection
    ? misfits(collection, command.id, value)
    : [{ pointer: '', message: `has no place: there is no collection ${command.collection}` }]
  const [first] = errors
  return (
    first && {
      code: 'document.invalid',
      resource: nameOf(command),
      detail: `${nameOf(command)} would not fit after this change: ${first.pointer || 'it'} ${first.message}; nothing was changed`,
      errors: errors.slice(0, MOST_ERRORS),
    }
  )
}

const tooMany = (command: SettingsCommand, limit: number): Fault => ({
  code: 'document.too_many',
  resource: nameOf(command),
  detail: `there are ${limit} documents in ${command.collection} already; delete one first`,
})

const unknown = (command: SettingsCommand): Fault => ({
  code: 'document.unknown',
  resource: nameOf(command),
  detail: `there is no ${nameOf(command)}`,
})

const alreadyThere = (command: SettingsCommand, revision: number): Fault => ({
  code: 'document.exists',
  resource: nameOf(command),
  detail: `there is a ${nameOf(command)} already; change or delete that one, or choose another id`,
  context: { revision },
})

const stale = (command: SettingsCommand, revision: number): Fault => ({
  code: 'revision.stale',
  resource: nameOf(command),
  detail: `${nameOf(command)} is at revision ${revision}, but the write expected ${command.expected_revision}; read it again and repeat`,
  context: { revision },
})
