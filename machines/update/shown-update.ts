// Where an update stands, as the API shows it: computed from what is.
import { oneLine } from '../schema/one-line.ts'
import type { UpdateFigures } from './progress.ts'
import type { UpdateRecord } from './record.ts'
import { STEADY_MS, type UpdateContext } from './update-setup.ts'
import type { KnownVersion, UpdateProgress, UpdateState, UpdateStateName } from './update-state.ts'

/** What there is to show. */
export interface ShownFrom {
  readonly state: UpdateStateName
  /** The state within the state, where that matters. */
  readonly step: 'paused' | 'waiting' | null
  readonly context: UpdateContext
  readonly record: Pick<UpdateRecord, 'since_ms' | 'failure'>
  readonly figures: UpdateFigures
  readonly backend: UpdateState['backend']
  /** How long a version on trial has been well, without a break. */
  readonly healthyMs: number
}

/** The document. */
export const shownUpdate = (from: ShownFrom): UpdateState => {
  const { state, step, context, record, figures, backend } = from
  const slots = context.slots
  return {
    state,
    since_ms: record.since_ms,
    detail: context.unavailable ?? detailOf(from),
    can_update: context.unavailable === null,
    backend,
    progress: progressOf(from),
    running: slots?.running ?? UNKNOWN,
    other: slots?.other ?? null,
    offered: context.offered,
    upload:
      state === 'receiving' && context.upload
        ? {
            id: context.upload.id,
            bytes: Math.max(context.upload.offset, figures.bytes),
            total_bytes: context.upload.bytes,
            interrupted: step === 'paused',
          }
        : null,
    scheduled: context.when && isScheduled(state) ? { when: context.when, waits_for: [...waitsOf(from)] } : null,
    trial:
      state === 'trial'
        ? { healthy_for_s: from.healthyMs / 1000, needed_s: STEADY_MS / 1000, missing: [...context.missing] }
        : null,
    interrupted: context.interrupted,
    failure: record.failure,
    failed_version: slots?.failed ?? null,
  }
}

const UNKNOWN: KnownVersion = { name: 'unknown', version: 'unknown', built_at_ms: null }

const isScheduled = (state: UpdateStateName): boolean =>
  state === 'scheduled' || state === 'applying' || state === 'restarting'

const waitsOf = ({ step, state, context: { device, when } }: ShownFrom): readonly string[] =>
  step === 'waiting' || state === 'scheduled'
    ? [...(device.robotEnabled ? ['the robot is enabled'] : []), ...(when === 'idle' ? device.busyWith : [])]
    : []

const STAGES: Partial<Record<UpdateStateName, string>> = {
  receiving: 'receiving the bundle',
  verifying: 'checking the bundle',
  applying: 'writing the new version',
  restarting: 'starting the new version',
  trial: 'trying the new version out',
}

const progressOf = ({ state, step, context, figures, healthyMs }: ShownFrom): UpdateProgress | null => {
  const stage = STAGES[state]
  if (stage === undefined || step !== null) return null
  if (state === 'restarting') return { stage, percent: null, bytes: 0, total_bytes: null }
  if (state === 'trial') return { stage, percent: percentOf(healthyMs, STEADY_MS), bytes: 0, total_bytes: null }
  const total = figures.totalBytes ?? (state === 'receiving' ? (context.upload?.bytes ?? null) : null)
  return {
    stage,
    percent: total === null ? null : percentOf(figures.bytes, total),
    bytes: figures.bytes,
    total_bytes: total,
  }
}

const percentOf = (part: number, whole: number): number =>
  whole <= 0 ? 100 : Math.min(100, Math.round((1000 * part) / whole) / 10)

/** What the state means, and what can be done next. */
const detailOf = (from: ShownFrom): string => {
  const { state, step, context, record } = from
  const { slots, offered } = context
  const running = slots?.running.version ?? UNKNOWN.version
  switch (state) {
    case 'idle':
      return `version ${running} runs; upload a bundle to update it`
    case 'receiving':
      return step === 'paused'
        ? 'the upload is interrupted; go on with it, begin another one, or cancel it'
        : 'a bundle is being uploaded'
    case 'verifying':
      return 'the signature and each file of the bundle are being checked; nothing is written before that'
    case 'ready':
      return `version ${offered?.version} is ready; apply it, or cancel to forget it`
    case 'scheduled':
      return `version ${offered?.version} is applied as soon as nothing is interrupted by it`
    case 'applying':
      return step === 'waiting'
        ? `version ${offered?.version} is written; it is started as soon as nothing is interrupted by it`
        : `version ${offered?.version} is being written beside the one that runs`
    case 'restarting':
      return 'the new version is being started; if it does not do, the device goes back by itself'
    case 'trial':
      return oneLine`
        version ${running} is on trial: it is kept when all that ran before has run for ${STEADY_MS / 1000} s, and else
        the device goes back by itself
      `
    case 'committed':
      return `version ${running} is kept`
    case 'rolled-back':
      return `version ${running} runs again, since ${slots?.failed?.version} was given up: ${slots?.failed?.reason}`
    case 'failed':
      return `version ${running} runs unchanged, since the update failed: ${record.failure?.detail}`
  }
}
