// The kind `read` of a list: every list has the same shape, and is handed out in pages where its reader wants that.
import { createHash } from 'node:crypto'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import { fault } from '../problems/problem.ts'
import type { Awaitable, Call, Endpoint, RowBase } from './endpoint.ts'
import { read } from './read.ts'

/** A list's rows are 500 at most, so nobody who does not ask for pages has to know of them. */
const DEFAULT_LIMIT = 500

const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DEFAULT_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'The most items to answer with.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The `next_cursor` of the page before; default: the first page.',
    }),
  ),
}
type PageQuery = Static<TObject<typeof pageQuery>>

/** A list, or why there is none. */
export interface ListRow<Item> extends Omit<RowBase, 'query'> {
  /** Of its document. */
  readonly name: string
  /** Of each item. */
  readonly item: TSchema
  /** Of each item. */
  readonly example: unknown
  /** In words. */
  readonly order: string
  readonly items: (call: Call) => Awaitable<readonly Item[] | Fault>
  /** What tells an item from all others, and from itself in another place. */
  readonly keyOf: (item: Item) => string
  /**
   * What is answered of those that are on the page, where that is more than they are; none of one that has just gone.
   */
  readonly show?: (item: Item) => unknown
  /** Of the list, where it has one. */
  readonly revision?: (call: Call) => number
  /** Beside that of pages. */
  readonly query?: TProperties
  /** What stands beside the items. */
  readonly more?: {
    readonly properties: TProperties
    readonly example: object
    readonly value: object | ((call: Call) => Awaitable<object>)
  }
}

/** Answers `{revision, items, next_cursor}`. */
export const list = <Item>(method: 'GET', path: string, row: ListRow<Item>): Endpoint => {
  const { name, item, example, order, items, keyOf, show, revision, more, query, ...base } = row
  const answer = Type.Object(
    {
      ...(revision && {
        revision: Type.Integer({
          minimum: 0,
          description: 'Of the list: it rises when an item comes, changes or goes.',
        }),
      }),
      items: Type.Array(item, { description: order }),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Asks for the next page; null: there is none.',
      }),
      ...more?.properties,
    },
    { additionalProperties: false, title: name, description: `${base.summary}.` },
  )
  return read(method, path, {
    ...base,
    query: { ...pageQuery, ...query },
    answer,
    example: { ...(revision && { revision: 3 }), items: [example], next_cursor: null, ...more?.example },
    get: async (call) => {
      const all = await items(call)
      const page = isFault(all) ? all : pageOf(all, keyOf, call.query as PageQuery)
      if (isFault(page)) return page
      const shown = show ? page.items.flatMap(show) : page.items
      const beside = await besides(more?.value, call)
      return { ...(revision && { revision: revision(call) }), ...page, items: shown, ...beside }
    },
    faults: [...(base.faults ?? []), 'cursor.unknown'],
  })
}

const besides = (
  value: Required<ListRow<never>>['more']['value'] | undefined,
  call: Call,
): Awaitable<object | undefined> => (typeof value === 'function' ? value(call) : value)

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/** The items behind the one that the cursor names, which is the last of the page before. */
const pageOf = <Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): Page<Item> | Fault => {
  const last = cursor === undefined ? -1 : all.findIndex((item) => cursorOf(keyOf(item)) === cursor)
  if (cursor !== undefined && last < 0)
    return fault(
      'cursor.unknown',
      'the cursor is not one of this list, or what it stood for has gone or changed its place; begin again without it',
    )
  const items = all.slice(last + 1, last + 1 + limit)
  const end = items.at(-1)
  return { items, next_cursor: end !== undefined && last + 1 + limit < all.length ? cursorOf(keyOf(end)) : null }
}

/** The same length for every key. */
const cursorOf = (key: string): string => createHash('sha256').update(key).digest('base64url')
