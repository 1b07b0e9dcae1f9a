// The bundle that is being uploaded, as the machine of updates knows it.

import type { Fault } from '../errors/fault.ts'

/** What is to be uploaded. */
export interface AnnouncedUpload {
  /** As the client announced it; null: it did not. */
  readonly bytes: number | null
  /** Where its bytes are not known: how many may come at most, for the room that is made. */
  readonly upTo?: number
  /** Whether it can be gone on with after an interruption, in this run or a later one. */
  readonly resumable: boolean
}

/** An upload that has begun, or that an earlier run left behind. */
export interface StoredUpload extends AnnouncedUpload {
  readonly id: string
  /** That are on the disk: where to go on. */
  readonly offset: number
}

/** Of an upload that is not the present one. */
export const noUpload: Fault = {
  code: 'update.no_upload',
  detail: 'there is no such upload; begin another one with POST /v1/ota/upload',
}
