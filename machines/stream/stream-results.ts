// What was found in the frames of streams, as messages of one socket that has those of many.
import { frameResultFields } from '../engine/frame-results.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const stream_id = Type.String({
  description: 'The stream; one of another device has the peer and a colon before its id there.',
  examples: ['front'],
})

/** What was found in one frame of one stream. */
export const StreamResults = Type.Object(
  { stream_id, ...frameResultFields },
  { ...strict, title: 'StreamResults', description: 'What was found in a frame of a stream: FrameResults.' },
)

/** Nothing more comes of a stream. */
export const StreamResultsEnd = Type.Object(
  { stream_id, ended: Type.Literal(true) },
  { ...strict, title: 'StreamResultsEnd', description: 'The stream was deleted; nothing more comes of it.' },
)
