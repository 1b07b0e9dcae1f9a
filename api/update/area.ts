// Updates of the service.
import { DIRECTORY } from '../../actors/directory.ts'
import { ARRIVING_BUNDLE, UPDATE_VIEW } from '../../actors/update/tokens.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { updateChanged } from '../../machines/update/events.ts'
import { UpdateState, updateExample } from '../../machines/update/update-state.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { uploadRows } from './upload.ts'

const strict = { additionalProperties: false } as const

const ApplyOrder = Type.Object(
  {
    when: Type.Enum(['now', 'idle'], {
      description: oneLine`
        now: at once; refused while the robot is enabled. idle: as soon as the robot is disabled, nothing is recorded,
        and no other device has something done.
      `,
    }),
    allow_downgrade: Type.Optional(
      Type.Boolean({ description: 'This once, also a version that is older than the floor of the one that runs.' }),
    ),
  },
  { ...strict, title: 'ApplyOrder', description: 'When an update is applied.' },
)

const WRITE_LIMIT_MS = 15_000 // a card under load takes two seconds for a sync, and others may stand before

const answer = { schema: UpdateState, example: updateExample }

const needs = { directory: DIRECTORY, view: UPDATE_VIEW, bundle: ARRIVING_BUNDLE }

export const updateArea = areaOf(needs, (parts) =>
  area('update', 'Updates of the service: from a bundle to a version that is kept, or back.', [
    read('GET', '/v1/ota/state', {
      summary: 'Where an update stands',
      about: oneLine`
        Also of a device that cannot be updated in this way: \`can_update\` is false then, and \`detail\` says why.
        \`failure\` is why an update came to nothing before a new version ran, \`failed_version\` why a new version was
        given up; both stay until the next update is kept.
      `,
      answer: answer.schema,
      example: answer.example,
      get: () => parts.view(),
      faults: ['actor.unavailable'],
    }),

    ...uploadRows(parts),

    command('POST', '/v1/ota/apply', {
      summary: 'Apply the update that is ready',
      about: oneLine`
        Answers when that is ordered, and is on the disk. The new version is written beside the one that runs; then the
        service restarts into it, on trial: it is kept when all that ran before has run without a break, and else the
        previous one is started again, with its settings as they were. Just before the restart it waits until the robot
        is disabled. \`${updateChanged.kind}\` tells how far it is.
      `,
      access: 'administer',
      to: 'update',
      publishes: [updateChanged],
      body: { schema: ApplyOrder, example: { when: 'idle' } },
      limitMs: WRITE_LIMIT_MS,
      send: ({ body: { when, allow_downgrade = false } }) => ({
        type: 'update.apply',
        when,
        allowDowngrade: allow_downgrade,
      }),
      answer: { ...answer, of: () => parts.view() },
      faults: ['update.unavailable', 'update.nothing_ready', 'update.robot_enabled', 'update.too_old', 'update.busy'],
    }),

    command('POST', '/v1/ota/cancel', {
      summary: 'Cancel an update',
      about: oneLine`
        An upload, and a bundle that is being checked or is ready, is forgotten. What is ordered, or being written, is
        \`ready\` again. From the restart into the new version on nothing can be cancelled.
      `,
      access: 'administer',
      to: 'update',
      publishes: [updateChanged],
      limitMs: WRITE_LIMIT_MS, // what is being written is ended first
      send: () => ({ type: 'update.cancel' }),
      answer: { ...answer, of: () => parts.view() },
      faults: ['update.unavailable', 'update.not_cancellable', 'update.busy'],
    }),

    custom('POST', '/v1/ota/stage', {
      because: 'it does nothing but say where to go instead',
      summary: 'Gone: upload a bundle instead',
      about: 'Bundles are checked as they are uploaded: `POST /v1/ota/upload`.',
      access: 'administer',
      answer: { status: 'empty', refusedWith: 'update.gone' },
      serve: (_, reply) =>
        sendProblem(
          reply,
          fault(
            'update.gone',
            'there is no staging any more: upload the bundle with POST /v1/ota/upload, then apply it',
          ),
        ),
      faults: ['update.gone'],
    }),
  ]),
)
