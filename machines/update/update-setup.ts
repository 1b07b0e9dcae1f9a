// The context, effects, replies and guards of the machine of updates; its states stand in update-machine.ts.
import { assign, emit, setup } from 'xstate'
import { needed, providedAction } from '../effects.ts'
import type { Fault, Reply } from '../errors/fault.ts'
import { type DeviceUse, type WhenToInterrupt, waitsFor } from '../restart/device-use.ts'
import type { KnownSlots } from './known-slots.ts'
import type { RanBefore, RecordDraft } from './record.ts'
import type { Restored, RestoredState } from './restore.ts'
import {
  noSuchUpload,
  orderedAlready,
  refusalIn,
  robotIsEnabled,
  tooOld,
  type UpdateCommand,
  type UpdateEvent,
  unavailable,
} from './update-commands.ts'
import type { KnownVersion, UpdateStateName } from './update-state.ts'
import type { AnnouncedUpload, StoredUpload } from './upload.ts'
import { isOlder } from './version.ts'

/** The record that is to be on the disk before anything else is done. */
export interface Recorded {
  readonly draft: RecordDraft
}

/** What was installed. slots: as they are now. */
export interface Installed {
  readonly name: string
  readonly slots: KnownSlots
}

/**
 * The effects. Each that has a draft has it on the disk before it does anything else, but for `commit`, after which the
 * slots say enough.
 *
 * restore: reads what is on the disk. watchDevice: tells what an update would interrupt. keep: no more than the record;
 * forgetsBundle: what was uploaded goes. begin: makes room for an upload. resume: the upload as it is, which nobody
 * sends any more. complete: has an upload whole on the disk. verify: checks it. install: writes it where it does not
 * run, and keeps what is there. activate: chooses it for the next start; what ran then. restart: ends this run. undo:
 * chooses the version that runs, where another one is chosen. watchHealth: tells what of a version on trial is not
 * well. commit: keeps the version that runs. goBack: has the previous one started.
 */
const updateEffects = {
  restore: needed<Restored>('restore'),
  watchDevice: needed<never>('watchDevice'),
  keep: needed<void, Recorded & { readonly forgetsBundle: boolean }>('keep'),
  begin: needed<StoredUpload, Recorded & { readonly announced: AnnouncedUpload }>('begin'),
  resume: needed<StoredUpload, { readonly id: string }>('resume'),
  complete: needed<void, Recorded & { readonly id: string }>('complete'),
  verify: needed<KnownVersion, Recorded>('verify'),
  install: needed<Installed, Recorded>('install'),
  activate: needed<RanBefore, Recorded & { readonly name: string }>('activate'),
  restart: needed<void, Recorded>('restart'),
  undo: needed<KnownSlots, { readonly reason: string }>('undo'),
  watchHealth: needed<never, Recorded>('watchHealth'),
  commit: needed<KnownSlots, Recorded>('commit'),
  goBack: needed<void, Recorded & { readonly reason: string }>('goBack'),
}
export type UpdateEffects = typeof updateEffects

/** unavailable: why no update is possible here; null: it is. */
export interface UpdateInput {
  readonly unavailable: string | null
}

export interface UpdateContext extends UpdateInput {
  /** null: nothing is known yet. */
  readonly slots: KnownSlots | null
  readonly device: DeviceUse
  readonly announced: AnnouncedUpload
  readonly upload: StoredUpload | null
  readonly offered: KnownVersion | null
  readonly when: WhenToInterrupt | null
  readonly allowDowngrade: boolean
  /** The name of the version that was installed. */
  readonly target: string | null
  /** What ran before a version that is to be tried out; null: not known. */
  readonly before: RecordDraft['before']
  readonly restarts: number
  readonly failure: RecordDraft['failure']
  readonly interrupted: string | null
  /** What of a version on trial is not well. */
  readonly missing: readonly string[]
  /** Who is to be answered; null: nobody. */
  readonly ask: number | null
  /** What is wrong with the updater itself. */
  readonly fault: Fault | null
}

/** The actions that the actor provides. */
export const updateActions = {
  /** Enters a fault in the error history. */
  record: providedAction<Fault>(),
}

/** The record of a state, as far as the context says it. */
export const draftOf = (state: UpdateStateName, context: UpdateContext): RecordDraft => ({
  state,
  offered: context.offered,
  when: context.when,
  allow_downgrade: context.allowDowngrade,
  target: context.target,
  before: context.before,
  restarts: context.restarts,
  failure: context.failure,
  seen_failed: context.slots?.failed ?? null,
})

/** What was ordered is not wanted any more; the bundle stays. */
const UNSCHEDULED = {
  when: null,
  allowDowngrade: false,
  target: null,
  before: null,
  restarts: 0,
  interrupted: null,
} satisfies Partial<UpdateContext>

/** What an order is about that is not under way any more. */
const FORGOTTEN = { ...UNSCHEDULED, upload: null, offered: null, missing: [] } satisfies Partial<UpdateContext>

export const NOTHING_KNOWN: Omit<UpdateContext, 'unavailable'> = {
  ...FORGOTTEN,
  slots: null,
  device: { robotEnabled: false, busyWith: [] },
  announced: { bytes: null, resumable: false },
  failure: null,
  ask: null,
  fault: null,
}

const NOT_WRITTEN: readonly string[] = ['the update is being written down']

/** How long a new version must be well without a break. */
export const STEADY_MS = 20_000

/** How long nobody may begin to send when an upload may come: whoever waits for that is told within the process. */
export const UNCLAIMED_MS = 5_000

/** Why no version of the kind can be applied; null: it can. */
export const refusalOfApply = (
  { offered, slots, device }: UpdateContext,
  { when, allowDowngrade }: Extract<UpdateCommand, { readonly type: 'update.apply' }>,
): Fault | null => {
  const floor = slots?.floor ?? null
  if (offered && floor !== null && !allowDowngrade && isOlder(offered.version, floor))
    return tooOld(offered.version, floor)
  return when === 'now' && device.robotEnabled ? robotIsEnabled : null
}

export const updateSetup = setup({
  types: {
    context: {} as UpdateContext,
    events: {} as UpdateEvent,
    input: {} as UpdateInput,
    emitted: {} as Reply<StoredUpload>,
  },
  actors: updateEffects,
  actions: {
    ...updateActions,
    refuse: emit(
      (_, { ask, fault }: { readonly ask: number; readonly fault: Fault }) =>
        ({ type: 'reply', ask, outcome: 'refused', fault }) as const,
    ),
    /** Whoever waits is told that it was done; nobody may wait. */
    replyDone: emit(({ context }) => ({ type: 'reply', ask: context.ask ?? 0, outcome: 'done' }) as const),
    replyUpload: emit(
      ({ context }, value: StoredUpload) => ({ type: 'reply', ask: context.ask ?? 0, outcome: 'done', value }) as const,
    ),
    replyFailed: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: context.ask ?? 0, outcome: 'failed', fault }) as const,
    ),
    keepAsk: assign({ ask: ({ event }) => ('ask' in event ? event.ask : null) }),
    forgetAsk: assign({ ask: null }),
    takeRestored: assign((_, { slots, upload, record, failure, interrupted }: Restored) => ({
      ...FORGOTTEN,
      slots,
      upload,
      offered: record.offered,
      when: record.when,
      allowDowngrade: record.allow_downgrade,
      target: record.target,
      before: record.before,
      restarts: record.restarts,
      failure,
      interrupted,
      fault: null,
    })),
    seeDevice: assign({ device: (_, { robotEnabled, busyWith }: DeviceUse) => ({ robotEnabled, busyWith }) }),
    seeHealth: assign({ missing: (_, missing: readonly string[]) => missing }),
    announce: assign((_, announced: AnnouncedUpload) => ({ ...FORGOTTEN, announced })),
    setUpload: assign({ upload: (_, upload: StoredUpload) => upload }),
    setOffered: assign((_, offered: KnownVersion) => ({ offered, upload: null, interrupted: null })),
    setApply: assign(
      (_, { when, allowDowngrade }: { readonly when: WhenToInterrupt; readonly allowDowngrade: boolean }) => ({
        when,
        allowDowngrade,
        interrupted: null,
      }),
    ),
    setInstalled: assign((_, { name, slots }: Installed) => ({ target: name, slots })),
    setBefore: assign({ before: (_, before: RanBefore) => before }),
    countRestart: assign({ restarts: ({ context }) => context.restarts + 1 }),
    setSlots: assign({ slots: (_, slots: KnownSlots) => slots }),
    unschedule: assign(UNSCHEDULED),
    forget: assign(FORGOTTEN),
    fail: assign((_, failure: NonNullable<RecordDraft['failure']>) => ({ ...FORGOTTEN, failure })),
    noteFailure: assign({ failure: (_, failure: NonNullable<RecordDraft['failure']>) => failure }),
    forgetFailure: assign({ failure: null }),
    notWritten: assign({ missing: NOT_WRITTEN }),
    setFault: assign({ fault: (_, fault: Fault | null) => fault }),
  },
  guards: {
    isUnavailable: ({ context }) => context.unavailable !== null,
    isRestored: (_, { state, restored }: { readonly state: RestoredState; readonly restored: Restored }) =>
      state === restored.state,
    isAsked: ({ context }) => context.ask !== null,
    isOther: ({ context }, id: string) => context.upload?.id !== id,
    isResumable: ({ context }) => context.upload?.resumable === true,
    mayNotApply: (_, refusal: Fault | null) => refusal !== null,
    isForIdle: (_, when: WhenToInterrupt) => when === 'idle',
    nothingIsInterrupted: ({ context: { device, when } }) => waitsFor(device, when ?? 'idle').length === 0,
    isWell: (_, missing: readonly string[]) => missing.length === 0,
  },
  delays: {
    /** As for everything that failed. */
    retry: 15_000,
    /** An order to end this run takes three seconds at most. */
    restartLimit: 60_000,
    unclaimed: UNCLAIMED_MS,
    steady: STEADY_MS,
    /** Together with the time that going back takes, less than a minute. */
    trialLimit: 45_000,
    retryCommit: 2_000,
  },
})

/** Why the command is not taken in this state. */
export const refusing =
  (state: UpdateStateName) =>
  ({ event }: { readonly event: UpdateCommand }) => ({ ask: event.ask, fault: refusalIn(state, event.type) })

export const refusingUnavailable = ({
  context,
  event,
}: {
  readonly context: UpdateContext
  readonly event: UpdateCommand
}) => ({ ask: event.ask, fault: unavailable(context.unavailable ?? '') })

export const refusingUpload = ({ event }: { readonly event: { readonly ask: number } }) => ({
  ask: event.ask,
  fault: noSuchUpload,
})

export const refusingForNow = ({ event }: { readonly event: { readonly ask: number } }) => ({
  ask: event.ask,
  fault: orderedAlready,
})
