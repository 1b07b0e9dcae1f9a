// What is published about the resource guard.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { GuardedStatus, guardedExample } from './guarded-status.ts'
import { GuardStateName } from './state-name.ts'

const strict = { additionalProperties: false } as const

/** The settings of the guard were changed. */
export const guardSettingsChanged = documentEvent({
  kind: 'resource_guard_settings_changed',
  about: 'The settings of the resource guard were changed.',
  of: null,
})

/** Something was taken from a stream, or given back. */
export const streamGuarded = eventKind({
  kind: 'stream_guarded',
  about: oneLine`
    The resource guard has taken something from a stream, or given it back: the preview, pictures that are processed,
    the recording, the stream as a whole. A stream is changed once in ten seconds at most, but for what people restore.
  `,
  reference: { stream_id: StreamId },
  data: Type.Object(
    {
      guard: Type.Union([GuardedStatus, Type.Null()], { description: 'As its status has it; null: nothing is taken.' }),
    },
    { ...strict, title: 'StreamGuarded', description: 'What is taken from a stream now, and why.' },
  ),
  revised: false,
  example: { resource_ref: { stream_id: 'front' }, data: { guard: guardedExample } },
})

/** The guard does something else. */
export const guardStateChanged = eventKind({
  kind: 'resource_guard_state_changed',
  about: 'The resource guard has begun to look, to cut, or to give back, or has stopped to.',
  reference: {},
  data: Type.Object(
    { state: GuardStateName },
    { ...strict, title: 'ResourceGuardState', description: 'What the guard does now.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { state: 'limiting' } },
})
