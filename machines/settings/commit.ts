// What a write means: the change it makes, or why it is refused. Pure, so that the check and the change are one step.

import { type Fault, isFault } from '../errors/fault.ts'
import type { RequestMark } from '../requests/request.ts'
import { filled } from '../schema/defaults.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { type Collection, type Collections, misfits } from './collection.ts'
import { mergePatch } from './merge-patch.ts'
import { isSameJson } from './same-json.ts'
import { type Commit, revisionOfWhole, type Settings, storedIn, type Whole, withCommit } from './store.ts'

/**
 * The revisions that a write may find; it is refused as stale when the document has another one. None said: it may find
 * any.
 */
export type Expected = { readonly expected_revisions?: readonly number[] }

type Addressed = Expected & {
  /** The mark of the request behind it, when that may be repeated. */
  readonly request?: RequestMark
  /** Of what the expected revisions are, where that is more than the document. */
  readonly whole?: Whole
  readonly ask: number
  readonly collection: string
  readonly id: string
}

/** create_only: refused when the document exists. */
type Put = Addressed & { readonly type: 'document.put'; readonly value: unknown; readonly create_only?: boolean }

/** patch: RFC 7396. */
type Merge = Addressed & { readonly type: 'document.merge'; readonly patch: unknown }

/** What a change answers when it cannot be made of the document as that is by then. */
export class Refused {
  readonly fault: Fault

  constructor(fault: Fault) {
    this.fault = fault
  }
}

/**
 * change: what becomes of the document as it is when the turn of this order has come; undefined: it is deleted; or why
 * nothing can. Without an effect.
 */
type Change = Addressed & { readonly type: 'document.change'; readonly change: (before: never) => unknown }

type Delete = Addressed & { readonly type: 'document.delete' }

/** An order that is one of several. */
type One = Put | Merge | Change | Delete

/** One of several orders, which are asked together. */
export type PartOrder = Order<Put> | Order<Merge> | Order<Change> | Order<Delete>

/** Several orders, in this order: all are carried out, in one transaction, or none is. At least one. */
type Several = Pick<Addressed, 'request' | 'ask'> & {
  readonly type: 'document.several'
  readonly orders: readonly PartOrder[]
}

/** The orders to the settings. */
export type SettingsCommand = One | Several

/** An order before it is asked. */
type Order<Command extends SettingsCommand> = Omit<Command, 'ask'>

/** The order that stores a document whole. */
export const putOrder = <Value>(
  collection: Collection<Value>,
  id: string,
  value: Value,
  more: Expected & Pick<Put, 'create_only'> = {},
): Order<Put> => ({ type: 'document.put', collection: collection.name, id, value, ...more })

/** The order that changes a document; null removes a field. */
export const mergeOrder = <Value>(
  collection: Collection<Value>,
  id: string,
  patch: MergePatch<Value>,
  more: Expected & Pick<Merge, 'whole'> = {},
): Order<Merge> => ({ type: 'document.merge', collection: collection.name, id, patch, ...more })

/**
 * The order that changes a document in a way that depends on what is in it: what was written since it was read is not
 * lost.
 */
export const changeOrder = <Value>(
  collection: Collection<Value>,
  id: string,
  change: (before: Value) => Value | Refused | undefined,
  more: Expected = {},
): Order<Change> => ({ type: 'document.change', collection: collection.name, id, change, ...more })

/** The order that forgets a document. */
export const deleteOrder = (collection: Collection, id: string, more: Expected = {}): Order<Delete> => ({
  type: 'document.delete',
  collection: collection.name,
  id,
  ...more,
})

/** Several orders as one: all or none. It is answered with what became of the first that changed something. */
export const severalOrder = (orders: readonly PartOrder[]): Order<Several> => ({ type: 'document.several', orders })

/** A patch of a document: what is left out stays, null removes. */
export type MergePatch<Value> = { readonly [Key in keyof Value]?: Value[Key] | null }

/** The reply's value after a write. value undefined = deleted. revision: as it was, when the write changed nothing. */
export type Written = Pick<Commit, 'id' | 'revision' | 'collectionRevision' | 'value'>

/** A write that leaves the document as it is: nothing is stored, synced or announced. */
export interface Unchanged {
  readonly unchanged: Written
}

export const isUnchanged = (decision: Commit | Unchanged | Fault): decision is Unchanged => 'unchanged' in decision

/** The commit that carries a command out, or the fault that refuses it. What it leaves fits its collection. */
export const decide = (
  collections: Collections,
  settings: Settings,
  command: SettingsCommand,
): Commit | Unchanged | Fault =>
  command.type === 'document.several'
    ? decideAll(collections, settings, command)
    : decideOne(collections, settings, command)

/** Each as if those before it had been carried out. */
const decideAll = (
  collections: Collections,
  before: Settings,
  { orders, ask, request }: Several,
): Commit | Unchanged | Fault => {
  let settings = before
  let unchanged: Unchanged | undefined
  const commits: Commit[] = []
  for (const order of orders) {
    const decision = decideOne(collections, settings, { ...order, ask } as One)
    if (isFault(decision)) return decision
    if (isUnchanged(decision)) unchanged ??= decision
    else {
      commits.push(decision)
      settings = withCommit(settings, decision)
    }
  }
  const [first, ...others] = commits
  if (first) return { ...first, others, ...(request && { request }) }
  return unchanged ?? { unchanged: NOTHING_WRITTEN }
}

/** By no order at all. */
const NOTHING_WRITTEN: Written = { id: '', revision: 0, collectionRevision: 0, value: undefined }

const decideOne = (collections: Collections, settings: Settings, command: One): Commit | Unchanged | Fault => {
  const { collection, id } = command
  const declared = collections.get(collection)
  if (!declared) return noPlace(command)
  const kept = storedIn(settings, declared, id)
  const { whole } = command
  if (!kept && (command.type !== 'document.put' || (command.expected_revisions && !whole))) return declared.notFound(id)
  if (kept && command.type === 'document.put' && command.create_only) return alreadyThere(command, kept.revision)
  const stale = whole
    ? staleFault(whole.name, revisionOfWhole(settings, whole), command)
    : kept && staleFault(nameOf(command), kept.revision, command)
  if (stale) return stale
  const after = valueAfter(command, kept?.value)
  if (after instanceof Refused) return { resource: nameOf(command), ...after.fault }
  const value = filled(declared.schema, after)
  const collectionRevision = settings.revisions[collection] ?? 0
  if (kept && isSameJson(kept.value, value)) return { unchanged: { id, collectionRevision, ...kept } }
  const refusal = value === undefined ? undefined : unfit(declared, command, value)
  if (refusal) return refusal
  const { [collection]: documents = {} } = settings.documents
  const isNew = !Object.hasOwn(documents, id)
  if (isNew && Object.keys(documents).length >= declared.limit) return tooMany(command, declared.limit)
  const base = settings.bases[collection] ?? 0
  const revision = (kept?.revision ?? base) + 1
  return {
    collection,
    collectionRevision: collectionRevision + 1,
    collectionBase: value === undefined ? Math.max(base, revision) : base,
    id,
    revision,
    value,
    ...(command.request && { request: command.request }),
  }
}

/**
 * Why a write must not be carried out on what has this revision; undefined when it may. name: of what is written, for
 * people.
 */
export const staleFault = (
  name: string,
  revision: number,
  { expected_revisions: expected }: Expected,
): Fault | undefined =>
  expected === undefined || expected.includes(revision)
    ? undefined
    : {
        code: 'revision.stale',
        resource: name,
        detail: oneLine`
          ${name} is at revision ${revision}, but the write expected ${expected.join(' or ') || 'another'}; read it
          again and repeat
        `,
        context: { revision },
      }

/** `collection/id`: how a document is named in faults. */
export const nameOf = ({ collection, id }: { readonly collection: string; readonly id: string }): string =>
  `${collection}/${id}`

const valueAfter = (command: One, before: unknown): unknown => {
  switch (command.type) {
    case 'document.put':
      return command.value
    case 'document.merge':
      return mergePatch(before, command.patch)
    case 'document.change':
      return command.change(before as never)
    case 'document.delete':
      return undefined
  }
}

const MAX_ERRORS = 16 // more would help nobody

const unfit = (collection: Collection, command: One, value: unknown): Fault | undefined => {
  const errors = misfits(collection, command.id, value)
  return errors.length === 0 ? undefined : invalid(command, errors)
}

/** A document of no collection is a bug of whoever orders it; it is refused like any other that does not fit. */
const noPlace = (command: One): Fault =>
  invalid(command, [{ pointer: '', message: `has no place: there is no collection ${command.collection}` }])

const invalid = (command: One, errors: readonly SchemaError[]): Fault => ({
  code: 'document.invalid',
  resource: nameOf(command),
  detail: oneLine`
    ${nameOf(command)} would not fit after this change: ${errors[0]?.pointer || 'it'} ${errors[0]?.message}; nothing was
    changed
  `,
  errors: errors.slice(0, MAX_ERRORS),
})

const tooMany = (command: One, limit: number): Fault => ({
  code: 'document.too_many',
  resource: nameOf(command),
  detail: `there are ${limit} documents in ${command.collection} already; delete one first`,
})

const alreadyThere = (command: One, revision: number): Fault => ({
  code: 'document.exists',
  resource: nameOf(command),
  detail: `there is a ${nameOf(command)} already; change or delete that one, or choose another id`,
  context: { revision },
})
