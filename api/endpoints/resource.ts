// A resource from one declaration: its document on the wire, `{id, revision, spec, status}`, and its endpoints. A write
// heeds the revision, is told to everybody as the event of the collection, and names the fault of what is not there.
import type { Static, TObject, TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import type { Collection } from '../../machines/settings/collection.ts'
import { changeOrder, deleteOrder, type MergePatch, mergeOrder } from '../../machines/settings/commit.ts'
import { documentOf, documentsOf, listRevisionOf, type StoredValue } from '../../machines/settings/store.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { command } from './command.ts'
import type { Awaitable, BodySpec, Call, Endpoint, Method, RowBase } from './endpoint.ts'
import { type ListRow, list } from './list.ts'
import { read } from './read.ts'

/** A kind of resource. */
export interface Declared<Value, Spec extends TSchema, Status extends TSchema> {
  /** Where it is stored. */
  readonly collection: Collection<Value>
  /** The id, where there is but one. */
  readonly only?: string
  /** The name of its document; the list is called `<title>List`. */
  readonly title: string
  readonly about: string
  /** What is wanted, what is the case. */
  readonly spec: Spec
  /** What is wanted, what is the case. */
  readonly status: Status
  readonly example: { readonly id: string; readonly spec: unknown; readonly status: unknown }
  /** The spec of a stored document; as it stands, if nothing is said. */
  readonly specOf?: (stored: Value) => Static<Spec>
  /** Undefined of one that has just gone. */
  readonly statusOf: (id: string) => Static<Status> | undefined
}

/** A resource on the wire. */
export interface View<Spec = unknown, Status = unknown> {
  readonly id: string
  readonly revision: number
  readonly spec: Spec
  readonly status: Status
}

type Row = Omit<RowBase, 'query' | 'hidden' | 'publishes'>
/** What stands in a list behind the resources, with an id that none of these has. item: its schema, beside theirs. */
interface Beside {
  readonly item: TSchema
  readonly items: (call: Call) => readonly { readonly id: string }[]
}

type CallWith<Body extends TSchema> = Call<never, unknown, Static<Body>>

/** An order to store a new one. */
interface CreateRow<Body extends TSchema> extends Row {
  /** Answers 201, and where it is found. */
  readonly created?: true
  readonly body: BodySpec<Body>
  /** The order, or why there is none to give. */
  readonly send: (call: CallWith<Body>) => Awaitable<Command<'settings'> | Fault>
}

/** A change of one, or of a part of it. patch: what it changes of the stored document; null removes. */
interface ChangeRow<Value, Body extends TSchema> extends Row {
  readonly body?: BodySpec<Body>
  readonly patch: (call: CallWith<Body>) => Awaitable<MergePatch<Value> | Fault>
}

/** A change of one as a whole: what is not said any more is gone. The body is the document as it is stored. */
interface ReplaceRow<Body extends TSchema> extends Row {
  readonly body: BodySpec<Body>
}

/**
 * Makes the rows of a kind of resource. part: `/pose`, or nothing for the resource as a whole. order: of the list, in
 * words.
 */
export interface Resource<Value> {
  /** For rows that are like no other. */
  readonly document: TObject
  /** For rows that are like no other. */
  readonly viewAt: (call: Pick<Call, 'directory'>, id: string) => View | Fault
  readonly list: (row: Row & Pick<ListRow<unknown>, 'order' | 'query'> & { readonly beside?: Beside }) => Endpoint
  readonly create: <Body extends TSchema>(row: CreateRow<Body>) => Endpoint
  readonly read: (row: Row) => Endpoint
  readonly change: <Body extends TSchema>(
    method: Exclude<Method, 'GET'>,
    part: string,
    row: ChangeRow<Value, Body>,
  ) => Endpoint
  /** Answers with the whole resource. */
  readonly replace: <Body extends TSchema>(row: ReplaceRow<Static<Body> extends Value ? Body : never>) => Endpoint
  /** refuse: why it may not be deleted now. */
  readonly delete: (row: Row & { readonly refuse?: (id: string) => Fault | undefined }) => Endpoint
}

/** Declares a kind of resource. path: of all of them, as `/v1/streams`, or of the only one. */
export const resource = <Value, Spec extends TSchema, Status extends TSchema>(
  path: string,
  declared: Declared<Value, Spec, Status>,
): Resource<Value> => {
  const { collection, only, title, statusOf, specOf = (stored: Value) => stored } = declared
  const document = documentSchema(declared)
  const { id: exampleId, ...exampleRest } = declared.example
  const example = { id: exampleId, revision: 1, ...exampleRest }
  const notFound = only === undefined ? [collection.notFound(exampleId).code] : []
  const publishes = [collection.changed]

  const viewOf = (id: string, { revision, value }: StoredValue<Value>): View | undefined => {
    const status = statusOf(id)
    return status === undefined ? undefined : { id, revision, spec: specOf(value), status }
  }
  const viewIn = ({ directory }: Pick<Call, 'directory'>, id: string): View | undefined => {
    const stored = documentOf(directory.settings, collection, id)
    return stored && viewOf(id, stored)
  }
  const viewAt = (call: Pick<Call, 'directory'>, id: string): View | Fault =>
    viewIn(call, id) ?? collection.notFound(id)

  // The compiler need know no more of a path than which names stand in it.
  const one = (only === undefined ? `${path}/:id` : path) as '/:id'
  const params = (only === undefined ? { id: collection.id } : undefined) as { readonly id: TSchema }
  const idOf = ({ params: { id } }: Pick<Call<'id'>, 'params'>): string => only ?? id
  const addressed = <Given extends Row>(row: Given) => ({
    ...row,
    params,
    faults: [...(row.faults ?? []), ...notFound],
  })

  return {
    document,
    viewAt,
    list: ({ order, beside, ...row }) =>
      list('GET', path, {
        ...row,
        name: `${title}List`,
        item: beside ? Type.Union([document, beside.item]) : document,
        example,
        order,
        items: (call) => [
          ...Object.entries(documentsOf(call.directory.settings, collection)).map(([id, stored]) => ({
            id,
            view: () => viewOf(id, stored),
          })),
          ...(beside?.items(call) ?? []).map((item) => ({ id: item.id, view: () => item })),
        ],
        keyOf: ({ id }) => id,
        show: ({ view }) => view() ?? [],
        revision: ({ directory }) => listRevisionOf(directory.settings, collection),
      }),

    create: ({ send, created, ...row }) =>
      command('POST', path as '/', {
        ...row,
        publishes,
        to: 'settings',
        send,
        answer: {
          ...(created && { status: 'created', location: ({ id }: View) => `${path}/${id}` }),
          schema: document,
          example,
          canBeGone: true,
          of: (call, { id }) => viewIn(call, id),
        },
      }),

    read: (row) =>
      read('GET', one, { ...addressed(row), answer: document, example, get: (call) => viewAt(call, idOf(call)) }),

    change: (method, part, { patch, ...row }) =>
      command(method, `${one}${part}` as '/:id', {
        ...addressed(row),
        publishes,
        to: 'settings',
        conditional: true,
        send: async (call) => {
          const wanted = await patch(call)
          return isFault(wanted) ? wanted : mergeOrder(collection, idOf(call), wanted, call.expected)
        },
      }),

    replace: (row) =>
      command('PUT', one, {
        ...addressed(row),
        publishes,
        to: 'settings',
        conditional: true,
        send: (call) => changeOrder(collection, idOf(call), () => call.body as Value, call.expected),
        answer: { schema: document, example, canBeGone: true, of: (call) => viewIn(call, idOf(call)) },
      }),

    delete: ({ refuse, ...row }) =>
      command('DELETE', one, {
        ...addressed(row),
        publishes,
        to: 'settings',
        conditional: true,
        send: (call) => {
          const isThere = documentOf(call.directory.settings, collection, idOf(call)) !== undefined
          return (isThere && refuse?.(idOf(call))) || deleteOrder(collection, idOf(call), call.expected)
        },
      }),
  }
}

const documentSchema = <Value>({
  collection,
  only,
  title,
  about,
  spec,
  status,
}: Declared<Value, TSchema, TSchema>): TObject =>
  Type.Object(
    {
      id: only === undefined ? collection.id : Type.Literal(only),
      revision:
        only === undefined
          ? Type.Integer({ minimum: 1, description: 'Of the spec: it rises with each change.' })
          : Type.Integer({ minimum: 0, description: 'Of the spec; 0: nobody has changed it yet.' }),
      spec,
      status,
    },
    {
      additionalProperties: false,
      title,
      description: `${about} spec: what the user wants. status: what is the case.`,
    },
  )
