// What the pictures of a stream come from: the list of the kinds.
import type { Static, TSchema } from 'typebox'
import Type from '../../schema/type.ts'
import { fileKind } from './file.ts'
import { imagesKind } from './images.ts'
import { peerKind } from './peer.ts'
import { syntheticKind } from './synthetic.ts'
import { urlKind } from './url.ts'
import { v4l2Kind } from './v4l2.ts'

/** All kinds, in the order in which the interface names them. */
export const SOURCE_KINDS = [syntheticKind, imagesKind, v4l2Kind, urlKind, fileKind, peerKind] as const

type Form = 'sent' | 'whole'

/** The schemas of some kinds, in their order. */
type SchemasOf<Kinds extends readonly Readonly<Record<Form, TSchema>>[], Key extends Form> = {
  -readonly [At in keyof Kinds]: Kinds[At][Key]
}

const schemasOf = <Key extends Form>(form: Key) =>
  SOURCE_KINDS.map((kind): TSchema => kind[form]) as SchemasOf<typeof SOURCE_KINDS, Key>

/** What the pictures come from, as a client may send it. */
export const SourceDocument = Type.Union(schemasOf('sent'))
export type SourceDocument = Static<typeof SourceDocument>

/** What the pictures come from, with every default filled in. */
export const CanonicalSource = Type.Union(schemasOf('whole'))
export type CanonicalSource = Static<typeof CanonicalSource>

/** The name of a kind. */
export type SourceBackend = CanonicalSource['backend']

/** The sources of one kind, whole. */
export type SourceOf<Backend extends SourceBackend> = Extract<CanonicalSource, { readonly backend: Backend }>
