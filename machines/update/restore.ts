// Where an update stands after a restart or a power cut, by what is on the disk: the record, the slots and the uploaded
// bundle. Of these the slots decide which version runs; the record says why.
import { oneLine } from '../schema/one-line.ts'
import type { KnownSlots } from './known-slots.ts'
import type { RecordDraft, UpdateRecord } from './record.ts'
import type { FailedVersion } from './slots.ts'
import type { StoredUpload } from './upload.ts'

/** What is on the disk. record null: there is none, or it cannot be read. kept null: nothing was uploaded. */
export interface OnDisk {
  readonly record: UpdateRecord | null
  readonly slots: KnownSlots
  readonly kept: StoredUpload | null
}

/**
 * Where to go on. completing: all bytes of an upload are here, and nobody was told so. undoing: a restart into the new
 * version that did not come about is given up.
 */
export type RestoredState = Exclude<RecordDraft['state'], 'applying'> | 'completing' | 'undoing'

/** How an update goes on. */
export interface Restored {
  readonly state: RestoredState
  readonly slots: KnownSlots
  readonly upload: StoredUpload | null
  readonly record: Pick<UpdateRecord, 'offered' | 'when' | 'allow_downgrade' | 'target' | 'before' | 'restarts'>
  readonly failure: RecordDraft['failure']
  readonly interrupted: string | null
}

/** How often a restart into the new version is ordered before it is given up. */
export const MAX_RESTARTS = 2

/** Decides how it goes on. */
export const restore = (disk: OnDisk): Restored => {
  const { record, slots } = disk
  if (slots.isTrial || isLeaving(disk)) return inTrial(disk)
  if (!record) return resting(disk, 'idle')
  if (slots.failed && isNews(record, slots.failed)) return resting(disk, 'rolled-back')
  const isUnderWay = ['applying', 'restarting', 'trial'].includes(record.state)
  if (isUnderWay && record.target === slots.running.name) return resting(disk, 'committed')
  if (isUnderWay && record.target !== null && record.target === slots.chosen) return notStarted(disk, record)
  return goneOn(disk, record)
}

/** Whether the new version runs, and another one is chosen again: it was on its way back. */
const isLeaving = ({ record, slots }: OnDisk): boolean =>
  record?.state === 'trial' && record.target === slots.running.name && slots.chosen !== slots.running.name

/** Whether a version was given up since the record was written; clocks of robots may say the same time again. */
const isNews = ({ seen_failed, state, target }: UpdateRecord, failed: FailedVersion): boolean =>
  seen_failed?.version !== failed.version ||
  seen_failed.at_ms !== failed.at_ms ||
  (['applying', 'restarting', 'trial'].includes(state) && target === failed.version)

const nothing: Restored['record'] = {
  offered: null,
  when: null,
  allow_downgrade: false,
  target: null,
  before: null,
  restarts: 0,
}

const resting = ({ record, slots }: OnDisk, state: 'idle' | 'committed' | 'rolled-back' | 'failed'): Restored => ({
  state,
  slots,
  upload: null,
  record: nothing,
  failure: state === 'committed' ? null : (record?.failure ?? null),
  interrupted: null,
})

const inTrial = ({ record, slots }: OnDisk): Restored => {
  const own = record?.target === slots.running.name ? record : null
  return {
    state: 'trial',
    slots,
    upload: null,
    record: { ...nothing, target: slots.running.name, before: own?.before ?? null },
    failure: record?.failure ?? null,
    interrupted: own?.state === 'trial' ? 'the new version was restarted in the middle of its trial' : null,
  }
}

/** The new version is chosen, and the previous one runs all the same. */
const notStarted = (disk: OnDisk, record: UpdateRecord): Restored => ({
  state: record.restarts < MAX_RESTARTS ? 'restarting' : 'undoing',
  slots: disk.slots,
  upload: null,
  record,
  failure: record.failure,
  interrupted: 'the restart into the new version was interrupted, and is ordered again',
})

/** The version that runs is the one that ran before, and no other is chosen. */
const goneOn = (disk: OnDisk, record: UpdateRecord): Restored => {
  const { slots, kept } = disk
  const { state, offered, when, allow_downgrade, failure } = record
  const on = (next: RestoredState, interrupted: string | null, more: Partial<Restored['record']> = {}): Restored => ({
    state: next,
    slots,
    upload: kept,
    record: { ...nothing, ...more },
    failure,
    interrupted,
  })
  switch (state) {
    case 'receiving':
      if (kept && kept.offset === kept.bytes)
        return on('completing', 'the device was restarted when the bundle had just arrived; it is checked now')
      return kept?.resumable
        ? on('receiving', 'the upload was interrupted by a restart; it can be gone on with')
        : interruptedIn(disk, state, 'the upload was interrupted by a restart; upload the bundle again')
    case 'verifying':
      return kept
        ? on('verifying', 'the check of the bundle was interrupted by a restart, and begins again')
        : interruptedIn(disk, state, LOST)
    case 'ready':
      return kept && offered ? on('ready', null, { offered }) : interruptedIn(disk, state, LOST)
    case 'scheduled':
      return kept && offered
        ? on('scheduled', null, { offered, when, allow_downgrade })
        : interruptedIn(disk, state, LOST)
    case 'applying':
    case 'restarting':
    case 'trial':
      return kept && offered ? on('ready', HALF_WRITTEN, { offered }) : interruptedIn(disk, state, HALF_WRITTEN)
    default:
      return resting(disk, state)
  }
}

const LOST = 'the bundle that was uploaded is not on the disk any more; upload it again'
const HALF_WRITTEN = oneLine`
  the device was restarted before the new version was chosen; nothing of the version that runs was changed. Apply the
  update again
`

const interruptedIn = (disk: OnDisk, state: UpdateRecord['state'], detail: string): Restored => ({
  ...resting(disk, 'failed'),
  failure: { code: 'update.interrupted', detail, state },
  interrupted: detail,
})
