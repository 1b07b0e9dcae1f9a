// A kind of event: declared once, in the room of its subject (machines/stream/events.ts), and listed by its branch of
// the tree. From the declaration come what a publisher has to say, docs/api.md and the AsyncAPI document.
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import Type from '../schema/type.ts'
import { token } from '../token.ts'

/**
 * A kind of event.
 *
 * kind: its name on the wire, as `stream_changed`. reference: what the event is about, by fields such as `stream_id`;
 * none: the device as a whole. data: what is told beyond that; null: nothing, the news is to read the resource again.
 * revised: whether it carries the revision of the resource after the change. about: one sentence on when it is
 * published. isEphemeral: it is told to those who listen now and not kept, so it has no number of its own. resource:
 * the row that reads what it is about, `GET /v1/streams/{id}`, where listeners are told that too.
 */
export interface EventKind<
  Reference extends TProperties = TProperties,
  Data extends TSchema | null = TSchema | null,
  Revised extends boolean = boolean,
> {
  readonly kind: string
  readonly about: string
  readonly reference: TObject<Reference>
  readonly data: Data
  readonly revised: Revised
  readonly isEphemeral?: boolean
  readonly resource?: string
  readonly example: object
}

/** All kinds of events that the service publishes. */
export const EVENT_KINDS = token<readonly EventKind[]>('event-kinds')

/** What a publisher says, whatever the kind. */
export interface Fact {
  readonly resource_ref: Readonly<Record<string, unknown>>
  readonly revision?: number
  readonly data?: unknown
}

/** What the publisher of a kind has to say, no more and no less. */
export type FactOf<Kind extends EventKind> = {
  readonly resource_ref: Static<Kind['reference']>
} & (Kind['revised'] extends true ? { readonly revision: number } : { readonly revision?: never }) &
  (Kind['data'] extends TSchema ? { readonly data: Static<Kind['data']> } : { readonly data?: never })

/** Something that is to be published: a fact, and of which kind it is. */
export interface News {
  readonly kind: EventKind
  readonly fact: Fact
}

/** Puts the two together, so that the compiler sees that they fit. */
export const news = <Kind extends EventKind>(kind: Kind, fact: FactOf<Kind>): News => ({ kind, fact })

interface Declared<Reference extends TProperties, Data extends TSchema | null, Revised extends boolean> {
  readonly kind: string
  readonly about: string
  readonly reference: Reference
  readonly data: Data
  readonly revised: Revised
  readonly isEphemeral?: boolean
  readonly resource?: string
  readonly example: FactOf<EventKind<Reference, Data, Revised>>
}

const strict = { additionalProperties: false } as const

/** Declares a kind of event. */
export const eventKind = <Reference extends TProperties, Data extends TSchema | null, const Revised extends boolean>({
  reference,
  ...declared
}: Declared<Reference, Data, Revised>): EventKind<Reference, Data, Revised> => ({
  ...declared,
  reference: Type.Object(reference, strict),
})

/** What a document's event tells: whether the document is gone. */
const Change = Type.Object(
  { deleted: Type.Boolean({ description: 'Whether it is gone; the revision is then the one it would have had.' }) },
  { ...strict, title: 'DocumentChange', description: 'What became of a stored document.' },
)

/** How the events of a collection refer to its documents: by which field, with which ids. */
interface DocumentReference {
  readonly field: string
  readonly id: TSchema
  readonly example: string
}

/** The kind that tells of each write of a stored document. */
export type DocumentEvent = EventKind<TProperties, typeof Change, true> & { readonly of: DocumentReference | null }

/**
 * Declares the kind that is published when a document of a collection is created, changed or deleted. of: null where
 * there is but one document.
 */
export const documentEvent = ({
  of,
  ...declared
}: Pick<DocumentEvent, 'kind' | 'about' | 'of' | 'resource'>): DocumentEvent => ({
  ...eventKind({
    ...declared,
    reference: of ? { [of.field]: of.id } : {},
    data: Change,
    revised: true,
    example: { resource_ref: of ? { [of.field]: of.example } : {}, revision: 3, data: { deleted: false } },
  }),
  of,
})

/** How the event of a document refers to it: `{ stream_id: 'front' }`. */
export const referenceTo = ({ of }: DocumentEvent, id: string): Readonly<Record<string, string>> =>
  of ? { [of.field]: id } : {}
