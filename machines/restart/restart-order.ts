// A restart as clients order it, what is noted of one, and what came of it.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { enumOf } from '../schema/enum-of.ts'
import { schemaErrors } from '../schema/errors.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const TARGETS = {
  service: 'this service, all streams with it',
  device: 'the whole device',
  stream: 'one stream, with its engine',
} as const
export type RestartTarget = keyof typeof TARGETS

const RestartTarget = enumOf(TARGETS, 'RestartTarget')

/** The order on the wire. */
export const RestartOrder = Type.Object(
  {
    target: RestartTarget,
    stream_id: Type.Optional(StreamId),
    when: Type.Optional(
      Type.Enum(['now', 'idle'], {
        description: oneLine`
          now, if nothing is said: at once; refused while the robot is enabled. idle: as soon as the robot is disabled,
          nothing is recorded, and no other device has something done.
        `,
      }),
    ),
    force: Type.Optional(Type.Boolean({ description: 'Also while the robot is enabled.' })),
  },
  { ...strict, title: 'RestartOrder', description: 'What is to be restarted, and when.' },
)
export type RestartOrder = Static<typeof RestartOrder>

/** What came of it, on the wire. */
export const RestartResult = Type.Object(
  {
    target: RestartTarget,
    took_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: oneLine`
        From the order to when it was over: to the start of the next run, or until the stream gave pictures; null: not
        known, as after a restart of the device, which may not know the time.
      `,
    }),
    detail: Type.String({ description: 'A sentence about how it ended.' }),
  },
  { ...strict, title: 'RestartResult', description: 'How a restart ended.' },
)
export type RestartResult = Static<typeof RestartResult>

/** What is on the disk before anything is restarted, for the run that comes then. */
export const RestartNote = Type.Object(
  {
    target: RestartTarget,
    /** Of the run of the system; null: it does not say. */
    boot_id: Type.Union([Type.String(), Type.Null()]),
    /** CLOCK_MONOTONIC. */
    ordered_us: Type.Number(),
  },
  strict,
)
export type RestartNote = Static<typeof RestartNote>

/** Whether what was kept is a note. */
export const isRestartNote = (kept: unknown): kept is RestartNote => schemaErrors(RestartNote, kept).length === 0

/** The kind of the jobs. */
export const RESTART_JOB = 'restart'

/** What a run finds of itself. */
export interface PresentRun {
  readonly bootId: string | null
  readonly nowUs: number
}

/** How a restart ended of which only the job is left, and the note if there is one. */
export const endOfRestart = (
  target: RestartTarget,
  note: RestartNote | null,
  { bootId, nowUs }: PresentRun,
): RestartResult | Fault => {
  if (target === 'stream')
    return { target, took_ms: null, detail: 'The whole service was started again, and the stream with it.' }
  if (note?.target !== target)
    return { code: 'job.interrupted', detail: 'the service ended before the restart was ordered; order it again' }
  const isOtherBoot = note.boot_id !== null && bootId !== null && note.boot_id !== bootId
  if (target === 'device')
    return isOtherBoot
      ? { target, took_ms: null, detail: 'The device has started again.' }
      : {
          code: 'device.failed',
          detail: oneLine`
            only the service has started again, and the device has not: it is the same run of the system as before;
            switch it off and on
          `,
        }
  return isOtherBoot
    ? { target, took_ms: null, detail: 'The service has started again, and the whole device with it.' }
    : {
        target,
        took_ms: Math.max(0, Math.round((nowUs - note.ordered_us) / 1000)),
        detail: 'The service has started again.',
      }
}

/** Why nothing is restarted now. */
export const robotIsEnabled: Fault = {
  code: 'restart.robot_enabled',
  detail: oneLine`
    the robot is enabled, and a restart interrupts the vision for seconds; disable it, order the restart with
    "when": "idle", or send "force": true
  `,
}

/** A restart is under way already. */
export const orderedAlready = (id: string): Fault => ({
  code: 'job.too_many',
  detail: `a restart is ordered already; wait until it is over, or cancel it (DELETE /v1/jobs/${id})`,
})

/** Somebody else orders one in this moment. */
export const ORDERED_NOW: Fault = {
  code: 'job.too_many',
  detail: 'a restart is being ordered already; wait until it is over',
}
