// What a write means: the change it makes, or why it is refused. Pure, so that the check and the change are one step.

import type { Fault } from '../errors/fault.ts'
import { filled } from '../schema/defaults.ts'
import type { SchemaError } from '../schema/errors.ts'
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

/** An order before it is asked. */
type Order<Command extends SettingsCommand> = Omit<Command, 'ask'>
type Put = Extract<SettingsCommand, { type: 'document.put' }>
type Merge = Extract<SettingsCommand, { type: 'document.merge' }>
type Delete = Extract<SettingsCommand, { type: 'document.delete' }>

/** The order that stores a document whole. */
export const putOrder = <Value>(
  collection: Collection<Value>,
  id: string,
  value: Value,
  more: Pick<Put, 'expected_revision' | 'create_only'> = {},
): Order<Put> => ({ type: 'document.put', collection: collection.name, id, value, ...more })

/** The order that changes a document; null removes a field. */
export const mergeOrder = <Value>(
  collection: Collection<Value>,
  id: string,
  patch: MergePatch<Value>,
  more: Pick<Merge, 'expected_revision'> = {},
): Order<Merge> => ({ type: 'document.merge', collection: collection.name, id, patch, ...more })

/** The order that forgets a document. */
export const deleteOrder = (
  collection: Collection,
  id: string,
  more: Pick<Delete, 'expected_revision'> = {},
): Order<Delete> => ({ type: 'document.delete', collection: collection.name, id, ...more })

/** A patch of a document: what is left out stays, null removes. */
export type MergePatch<Value> = { readonly [Key in keyof Value]?: Value[Key] | null }

/** The reply's value after a write. value undefined = deleted. */
export type Written = Pick<Commit, 'revision' | 'collectionRevision' | 'value'>

/** The commit that carries a command out, or the fault that refuses it. What it leaves fits its collection. */
export const decide = (collections: Collections, settings: Settings, command: SettingsCommand): Commit | Fault => {
  const { collection, id } = command
  const declared = collections.get(collection)
  if (!declared) return noPlace(command)
  const documents = settings.documents[collection] ?? {}
  const kept = Object.hasOwn(documents, id) ? documents[id] : undefined // `constructor` is a valid id
  if (!kept && (command.type !== 'document.put' || command.expected_revision !== undefined))
    return declared.notFound(id)
  if (kept && command.type === 'document.put' && command.create_only) return alreadyThere(command, kept.revision)
  if (kept && command.expected_revision !== undefined && command.expected_revision !== kept.revision)
    return stale(command, kept.revision)
  const value = filled(declared.schema, valueAfter(command, kept?.value))
  const refusal = value === undefined ? undefined : unfit(declared, command, value)
  if (refusal) return refusal
  if (!kept && Object.keys(documents).length >= declared.limit) return tooMany(command, declared.limit)
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

const unfit = (collection: Collection, command: SettingsCommand, value: unknown): Fault | undefined => {
  const errors = misfits(collection, command.id, value)
  return errors.length === 0 ? undefined : invalid(command, errors)
}

/** A document of no collection is a bug of whoever orders it; it is refused like any other that does not fit. */
const noPlace = (command: SettingsCommand): Fault =>
  invalid(command, [{ pointer: '', message: `has no place: there is no collection ${command.collection}` }])

const invalid = (command: SettingsCommand, errors: readonly SchemaError[]): Fault => ({
  code: 'document.invalid',
  resource: nameOf(command),
  detail: `${nameOf(command)} would not fit after this change: ${errors[0]?.pointer || 'it'} ${errors[0]?.message}; nothing was changed`,
  errors: errors.slice(0, MOST_ERRORS),
})

const tooMany = (command: SettingsCommand, limit: number): Fault => ({
  code: 'document.too_many',
  resource: nameOf(command),
  detail: `there are ${limit} documents in ${command.collection} already; delete one first`,
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
