// What the machine of updates is told, and what it refuses.
import type { Fault } from '../errors/fault.ts'
import type { DeviceUse, WhenToInterrupt } from '../restart/device-use.ts'
import { oneLine } from '../schema/one-line.ts'
import type { UpdateStateName } from './update-state.ts'
import type { AnnouncedUpload } from './upload.ts'

/** Orders; each is answered. */
export type UpdateCommand =
  /** Somebody wants to upload. Answered with the upload that has begun. */
  | { readonly type: 'update.receive'; readonly ask: number; readonly announced: AnnouncedUpload }
  /** Somebody goes on with an upload; who sent it until now does not any more. Answered with it. */
  | { readonly type: 'update.resume'; readonly ask: number; readonly id: string }
  /** All bytes have been appended. Answered when they are on the disk. */
  | { readonly type: 'update.received'; readonly ask: number; readonly id: string }
  | {
      readonly type: 'update.apply'
      readonly ask: number
      readonly when: WhenToInterrupt
      readonly allowDowngrade: boolean
    }
  | { readonly type: 'update.cancel'; readonly ask: number }

export type UpdateEvent =
  | UpdateCommand
  /** Whoever was answered with an upload is there, and its bytes come from now on. */
  | { readonly type: 'update.arriving'; readonly id: string }
  /** The connection of an upload ended; it can be gone on with. */
  | { readonly type: 'update.paused'; readonly id: string }
  | { readonly type: 'update.receive_failed'; readonly id: string; readonly fault: Fault }
  | ({ readonly type: 'device.seen' } & DeviceUse)
  /** What of the new version is not well; empty: nothing. */
  | { readonly type: 'health.seen'; readonly missing: readonly string[] }

const PHASES: Readonly<Record<UpdateStateName, string>> = {
  idle: 'there is no update',
  receiving: 'a bundle is being uploaded',
  verifying: 'a bundle is being checked',
  ready: 'an update is ready to be applied',
  scheduled: 'an update is ordered, and waits',
  applying: 'an update is being written',
  restarting: 'the new version is being started',
  trial: 'a new version is being tried out',
  committed: 'the last update is done',
  'rolled-back': 'the last update was given up',
  failed: 'the last update has failed',
}

/** Why a command is not carried out in a state. */
export const refusalIn = (state: UpdateStateName, command: UpdateCommand['type']): Fault => {
  switch (command) {
    case 'update.receive':
    case 'update.resume':
      return { code: 'update.busy', detail: `${PHASES[state]}; ${BEFORE_ANOTHER[state] ?? 'wait until that is over'}` }
    case 'update.received':
      return { code: 'update.cancelled', detail: 'this upload is not going on any more; upload the bundle again' }
    case 'update.apply':
      return { code: 'update.nothing_ready', detail: `${PHASES[state]}; ${BEFORE_APPLYING[state] ?? UPLOAD_FIRST}` }
    case 'update.cancel':
      return { code: 'update.not_cancellable', detail: `${PHASES[state]}; ${NO_WAY_BACK[state] ?? NOTHING_TO_CANCEL}` }
  }
}

const UPLOAD_FIRST = 'upload a bundle first: POST /v1/ota/upload'
const NOTHING_TO_CANCEL = 'there is nothing to cancel'

const BEFORE_ANOTHER: Partial<Record<UpdateStateName, string>> = {
  receiving: 'wait until it has arrived, or cancel it',
  scheduled: 'cancel it before another bundle is uploaded',
}

const BEFORE_APPLYING: Partial<Record<UpdateStateName, string>> = {
  receiving: 'apply it when the state is ready',
  verifying: 'apply it when the state is ready',
  scheduled: 'cancel it before it is ordered in another way',
  applying: 'it is done by itself',
  restarting: 'it is done by itself',
  trial: 'it is kept, or given up, by itself',
}

const NO_WAY_BACK: Partial<Record<UpdateStateName, string>> = {
  restarting: 'it cannot be held up any more. If the new version does not do, the device goes back by itself',
  trial: 'it is kept when it does, and else the device goes back by itself',
}

/** No update is possible on this device. */
export const unavailable = (why: string): Fault => ({ code: 'update.unavailable', detail: why })

export const robotIsEnabled: Fault = {
  code: 'update.robot_enabled',
  detail: oneLine`
    the robot is enabled, and an update interrupts the vision for seconds; disable it, or order the update with
    "when": "idle"
  `,
}

/** A version below the floor. */
export const tooOld = (version: string, floor: string): Fault => ({
  code: 'update.too_old',
  detail: oneLine`
    version ${version} is older than ${floor}, the oldest one that may follow the version that runs; an administrator
    may apply it all the same with "allow_downgrade": true
  `,
})

export const noSuchUpload: Fault = {
  code: 'update.no_upload',
  detail: 'there is no such upload to go on with; begin another one with POST /v1/ota/upload',
}

/** Whoever wanted to upload has left before it was answered. */
export const notSent: Fault = {
  code: 'request.timeout',
  detail: oneLine`
    nobody sent any of the bundle: room for it was made so slowly that whoever had asked was gone; upload it again
  `,
}

/** The new version was chosen, and was not started. */
export const notStarted: Fault = {
  code: 'update.not_started',
  detail: oneLine`
    the new version was not started although the restart was ordered; the version that runs stays. Restart the device,
    and apply the update again
  `,
}

/** The order before this one is not on the disk yet. */
export const orderedAlready: Fault = {
  code: 'update.busy',
  detail: 'another order is being written down; try again in a second',
}
