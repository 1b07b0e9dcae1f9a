// Where an update stands, as the API shows it.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { FailedVersion } from './slots.ts'

const strict = { additionalProperties: false } as const

/** The states of an update. */
export const UPDATE_STATES = [
  'idle',
  'receiving',
  'verifying',
  'ready',
  'scheduled',
  'applying',
  'restarting',
  'trial',
  'committed',
  'rolled-back',
  'failed',
] as const
export type UpdateStateName = (typeof UPDATE_STATES)[number]

const MEANINGS = oneLine`
  idle: nothing is under way. receiving: a bundle is arriving, or its upload was interrupted. verifying: it is being
  checked. ready: it may be applied. scheduled: it is applied as soon as nothing is interrupted by it. applying: it is
  being written beside the version that runs. restarting: the new version is being started. trial: it runs, and is being
  watched. committed: it stays. rolled-back: the previous version runs again. failed: the update came to nothing before
  a new version ran.
`

/** A version that lies on the device, or is offered. */
export const KnownVersion = Type.Object(
  {
    name: Type.String({ description: 'Of its folder, or of its slot.' }),
    version: Type.String({ description: 'As of semver.org.' }),
    built_at_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix time; null: it does not say.' }),
  },
  { ...strict, title: 'KnownVersion', description: 'A version of the service.' },
)
export type KnownVersion = Static<typeof KnownVersion>

/** How far the present step is. */
export const UpdateProgress = Type.Object(
  {
    stage: Type.String({ description: 'What is being done, for people.' }),
    percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'Of this step; null: the end is not known.',
    }),
    bytes: Type.Integer({ minimum: 0, description: 'That were received, checked or written.' }),
    total_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Of this step; null: not known.',
    }),
  },
  { ...strict, title: 'UpdateProgress', description: 'How far a step of an update is.' },
)
export type UpdateProgress = Static<typeof UpdateProgress>

/** Why the update itself failed: before a new version ran. */
export const UpdateFailure = Type.Object(
  {
    code: Type.String({ description: 'The code of the fault.' }),
    detail: Type.String({ description: 'What happened and what can be done, for people.' }),
    state: Type.Enum([...UPDATE_STATES], { description: `The state in which it happened. ${MEANINGS}` }),
    at_ms: Type.Integer({ description: 'When, Unix time.' }),
  },
  { ...strict, title: 'UpdateFailure', description: 'Why an update failed before a new version ran.' },
)
export type UpdateFailure = Static<typeof UpdateFailure>

/** The answer of `GET /v1/ota/state`. */
export const UpdateState = Type.Object(
  {
    state: Type.Enum([...UPDATE_STATES], { description: `Where the update stands. ${MEANINGS}` }),
    since_ms: Type.Integer({ description: 'When this state began, Unix time.' }),
    detail: Type.String({ description: 'What the state means and what can be done next, for people.' }),
    can_update: Type.Boolean({ description: 'Whether this device can be updated in this way at all.' }),
    backend: Type.Enum(['directory', 'rauc', 'none'], {
      description: oneLine`
        Who installs. directory: the service, beside the version that runs. rauc: the system, into its other slot. none:
        nobody, as in a checkout.
      `,
    }),
    progress: Type.Union([UpdateProgress, Type.Null()], {
      description: 'Of the present step; null: none is under way.',
    }),
    running: KnownVersion,
    other: Type.Union([KnownVersion, Type.Null()], { description: 'In the other slot; null: there is none.' }),
    offered: Type.Union([KnownVersion, Type.Null()], {
      description: 'What was uploaded and verified, and can be applied; null: nothing.',
    }),
    upload: Type.Union(
      [
        Type.Object(
          {
            id: Type.String({ description: 'By which it is gone on with.' }),
            bytes: Type.Integer({ minimum: 0, description: 'That are on the disk.' }),
            total_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'null: not known.' }),
            interrupted: Type.Boolean({ description: 'Nothing arrives at present, and it can be gone on with.' }),
          },
          { ...strict, title: 'UpdateUpload', description: 'A bundle that is being uploaded.' },
        ),
        Type.Null(),
      ],
      { description: 'null: none is under way.' },
    ),
    scheduled: Type.Union(
      [
        Type.Object(
          {
            when: Type.Enum(['now', 'idle'], {
              description: 'As it was ordered. now: at once. idle: when nothing is interrupted by it.',
            }),
            waits_for: Type.Array(Type.String(), { description: 'What must end first, for people; empty: nothing.' }),
          },
          { ...strict, title: 'UpdateSchedule', description: 'When the update is applied.' },
        ),
        Type.Null(),
      ],
      { description: 'null: it is not ordered.' },
    ),
    trial: Type.Union(
      [
        Type.Object(
          {
            healthy_for_s: Type.Number({ minimum: 0, description: 'Without a break.' }),
            needed_s: Type.Number({ minimum: 0, description: 'Until it is committed.' }),
            missing: Type.Array(Type.String(), { description: 'What is not well yet, for people; empty: nothing.' }),
          },
          { ...strict, title: 'UpdateTrial', description: 'How a new version is doing.' },
        ),
        Type.Null(),
      ],
      { description: 'null: no version is on trial.' },
    ),
    interrupted: Type.Union([Type.String(), Type.Null()], {
      description: oneLine`
        What a restart or a power cut has interrupted, and what became of it, for people; null: nothing.
      `,
    }),
    failure: Type.Union([UpdateFailure, Type.Null()], {
      description: 'Why the update failed, this one or the one before; null: it did not.',
    }),
    failed_version: Type.Union([FailedVersion, Type.Null()], {
      description: 'The last new version that was given up, and why; null: none was.',
    }),
  },
  { ...strict, title: 'UpdateState', description: 'Where an update of the service stands.' },
)
export type UpdateState = Static<typeof UpdateState>

/** As the references show it. */
export const updateExample: UpdateState = {
  state: 'ready',
  since_ms: 1_769_869_501_000,
  detail: 'version 1.5.0 is ready; apply it, or cancel to forget it',
  can_update: true,
  backend: 'directory',
  progress: null,
  running: { name: '1.4.0-0f1e2d3c4b5a', version: '1.4.0', built_at_ms: 1_767_225_600_000 },
  other: { name: '1.3.0-5a4b3c2d1e0f', version: '1.3.0', built_at_ms: 1_764_547_200_000 },
  offered: { name: '1.5.0-9a8b7c6d5e4f', version: '1.5.0', built_at_ms: 1_769_817_600_000 },
  upload: null,
  scheduled: null,
  trial: null,
  interrupted: null,
  failure: null,
  failed_version: null,
}
