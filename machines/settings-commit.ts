// What a write means: the change it makes, or why it is refused. Pure, so that the check and the change are one step.
import type { Fault } from './fault.ts'
import { mergePatch } from './merge-patch.ts'
import type { Commit, Kept } from './settings.ts'

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

/**
 * All that is kept, deleted documents included: their value is undefined and their revision goes on when they are created again.
 *
 * Keyed by `collection/id`; neither contains a slash. collections: the revision of each as a list.
 */
export interface Ledger {
  readonly documents: Readonly<Record<string, Kept>>
  readonly collections: Readonly<Record<string, number>>
}

/** The commit that carries a command out, or the fault that refuses it. */
export const decide = (ledger: Ledger, command: SettingsCommand): Commit | Fault => {
  const { collection, id } = command
  const kept = ledger.documents[keyOf(command)] ?? { revision: 0, value: undefined }
  const exists = kept.value !== undefined
  if (!exists && (command.type !== 'document.put' || command.expected_revision !== undefined)) return unknown(command)
  if (exists && command.type === 'document.put' && command.create_only) return alreadyThere(command, kept.revision)
  if (command.expected_revision !== undefined && command.expected_revision !== kept.revision)
    return stale(command, kept.revision)
  return {
    collection,
    collectionRevision: (ledger.collections[collection] ?? 0) + 1,
    id,
    revision: kept.revision + 1,
    value: valueAfter(command, kept.value),
  }
}

/** The ledger after a commit. */
export const entered = (ledger: Ledger, commit: Commit): Ledger => ({
  documents: { ...ledger.documents, [keyOf(commit)]: { revision: commit.revision, value: commit.value } },
  collections: { ...ledger.collections, [commit.collection]: commit.collectionRevision },
})

/** The key of a document in the ledger; with its slash it is never the name of a method of objects. */
export const keyOf = ({ collection, id }: { readonly collection: string; readonly id: string }): string =>
  `${collection}/${id}`

const valueAfter = (command: SettingsCommand, before: unknown): unknown => {
  if (command.type === 'document.delete') return undefined
  return command.type === 'document.put' ? command.value : mergePatch(before, command.patch)
}

const unknown = (command: SettingsCommand): Fault => ({
  code: 'document.unknown',
  resource: keyOf(command),
  detail: `there is no ${keyOf(command)}`,
})

const alreadyThere = (command: SettingsCommand, revision: number): Fault => ({
  code: 'document.exists',
  resource: keyOf(command),
  detail: `there is a ${keyOf(command)} already; change or delete that one, or choose another id`,
  context: { revision },
})

const stale = (command: SettingsCommand, revision: number): Fault => ({
  code: 'revision.stale',
  resource: keyOf(command),
  detail: `${keyOf(command)} is at revision ${revision}, but the write expected ${command.expected_revision}; read it again and repeat`,
  context: { revision },
})
