// What is noted down of an upload beside its bytes, so that the next run can go on with it.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

/** The note. */
export const UploadNote = Type.Object(
  {
    format: Type.Literal(1),
    id: Type.String({ description: 'By which it is gone on with.' }),
    bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Of all; null: not known.' }),
    resumable: Type.Boolean({ description: 'Whether its client can go on with it.' }),
    on_disk: Type.Integer({ minimum: 0, description: 'How many of its bytes a power cut leaves.' }),
    is_complete: Type.Boolean({ description: 'It is here whole.' }),
  },
  { additionalProperties: false, title: 'UploadNote', description: 'An upload, as the next run finds it.' },
)
export type UploadNote = Static<typeof UploadNote>
