// What is published about streams.

import { FaultDocument } from '../errors/fault-document.ts'
import { documentEvent, eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { StreamId } from './manifest.ts'
import { StreamState } from './status.ts'

/** A stream was created, changed or deleted. */
export const streamChanged = documentEvent({
  kind: 'stream_changed',
  about: 'A stream was created, changed or deleted.',
  of: { field: 'stream_id', id: StreamId, example: 'front' },
})

/** A stream is in another state, or its pipeline does not run any more, or does again. */
export const streamState = eventKind({
  kind: 'stream_state',
  about:
    'A stream went over into another state, or another pipeline runs than the one that is wanted, or that one again. A stream that stalls and recovers within a moment tells of both.',
  reference: { stream_id: StreamId },
  data: Type.Object(
    {
      state: StreamState,
      fault: Type.Union([FaultDocument, Type.Null()], { description: 'null: nothing is wrong.' }),
      pipeline_fault: Type.Union([FaultDocument, Type.Null()], {
        description: 'Why the pipeline that is wanted does not run (`status.pipeline.fault`). null: it does.',
      }),
    },
    {
      additionalProperties: false,
      title: 'StreamTurn',
      description: 'The new state, and what is wrong with the stream, if anything.',
    },
  ),
  revised: false,
  example: { resource_ref: { stream_id: 'front' }, data: { state: 'live', fault: null, pipeline_fault: null } },
})
