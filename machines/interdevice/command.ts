// A command of one device to a stream of another, and its answer.

import type { Static } from 'typebox'
import { RequestId } from '../requests/request.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/**
 * The commands that streams of this service take from others. `set_compute` is for the device that watches, and is
 * never sent on.
 */
export const SOURCE_COMMANDS = [
  'set_control',
  'apply_manifest_patch',
  'start_recording',
  'stop_recording',
  'snapshot',
  'set_crop',
  'set_pose',
  'clear_pose',
  'switch_pipeline',
] as const
export type SourceCommand = (typeof SOURCE_COMMANDS)[number]

/** A command, of whatever kind; which payload it takes depends on it. */
export const StreamCommand = Type.Object(
  {
    request_id: RequestId,
    expected_revision: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The revision of the stream that it may find; another one is refused.' }),
    ),
    command: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,63}$',
      description: '1 to 64 lower-case letters, digits and _, beginning with a letter. What to do.',
      examples: ['set_control'],
    }),
    payload: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What the command needs.' })),
  },
  { ...strict, title: 'StreamCommand', description: 'A command to a stream of another device.' },
)
export type StreamCommand = Static<typeof StreamCommand>

/** What became of it. A refusal is a problem document, which says `accepted: false` and has the same `error`. */
export const StreamCommandAnswer = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether it was carried out.' }),
    new_revision: Type.Integer({
      minimum: 0,
      description: 'Of the stream, once the command is carried out. 0: the stream is gone.',
    }),
    applied_at_ms: Type.Integer({ minimum: 0, description: 'When, Unix time of the device that has the stream.' }),
    result: Type.Optional(
      Type.Unknown({ description: 'What the command gives back, as the endpoint of the same name does.' }),
    ),
    warning: Type.Optional(
      Type.Object(
        { code: Type.String(), detail: Type.String() },
        {
          description: oneLine`
            What went wrong although it was carried out: a crop is stored, and the camera gives no pictures at
            present. Then there is no \`result\`.
          `,
        },
      ),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), detail: Type.String() },
        { description: 'Why it was not carried out; only then.' },
      ),
    ),
  },
  { title: 'StreamCommandAnswer', description: 'What became of a command.' },
)
export type StreamCommandAnswer = Static<typeof StreamCommandAnswer>
