// What is kept of an update on the disk, so that each state outlives a restart and a power cut: one small file that is
// always written whole.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'
import { FailedVersion } from './slots.ts'
import { KnownVersion, UPDATE_STATES, UpdateFailure, type UpdateStateName } from './update-state.ts'

const strict = { additionalProperties: false } as const

/** What ran before the new version, and must run again with it. */
export const RanBefore = Type.Object(
  {
    streams: Type.Array(Type.String(), { description: 'The ids of those that were live.' }),
    parts: Type.Array(Type.String(), { description: 'Those of the service that were well, as health names them.' }),
    robot_link: Type.Boolean({ description: 'Whether there was a link to the robot.' }),
  },
  { ...strict, title: 'RanBefore', description: 'What ran before an update, and must run again after it.' },
)
export type RanBefore = Static<typeof RanBefore>

/** The file `update.json` of the system folder. */
export const UpdateRecord = Type.Object(
  {
    format: Type.Literal(1),
    state: Type.Enum([...UPDATE_STATES], { description: 'Where the update stood.' }),
    since_ms: Type.Integer({ description: 'When that state began, Unix time.' }),
    offered: Type.Union([KnownVersion, Type.Null()], { description: 'What was verified; null: nothing.' }),
    when: Type.Union([Type.Enum(['now', 'idle']), Type.Null()], { description: 'As ordered; null: it was not.' }),
    allow_downgrade: Type.Boolean({ description: 'Whether an administrator allowed an older version.' }),
    target: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the version that was installed, and is to run; null: none yet.',
    }),
    before: Type.Union([RanBefore, Type.Null()], { description: 'What ran before it; null: not known.' }),
    restarts: Type.Integer({ minimum: 0, description: 'How often the restart into the new version was ordered.' }),
    failure: Type.Union([UpdateFailure, Type.Null()], { description: 'Why an update failed last; null: none did.' }),
    seen_failed: Type.Union([FailedVersion, Type.Null()], {
      description: 'The version that had been given up when this was written; null: none.',
    }),
  },
  { ...strict, title: 'UpdateRecord', description: 'What is kept of an update.' },
)
export type UpdateRecord = Static<typeof UpdateRecord>

/** A record before it is known when it was written. */
export type RecordDraft = Omit<UpdateRecord, 'format' | 'since_ms' | 'failure'> & {
  readonly state: UpdateStateName
  readonly failure: Omit<UpdateFailure, 'at_ms'> | null
}

/** Gives a draft its times: a state and a failure that were there before keep theirs. */
export const stampRecord = (previous: UpdateRecord | null, draft: RecordDraft, nowMs: number): UpdateRecord => ({
  ...draft,
  format: 1,
  since_ms: previous?.state === draft.state ? previous.since_ms : nowMs,
  failure: draft.failure && {
    ...draft.failure,
    at_ms: isSameFailure(previous?.failure, draft.failure) ? (previous?.failure?.at_ms ?? nowMs) : nowMs,
  },
})

const isSameFailure = (previous: UpdateFailure | null | undefined, next: Omit<UpdateFailure, 'at_ms'>): boolean =>
  previous?.code === next.code && previous.detail === next.detail && previous.state === next.state
