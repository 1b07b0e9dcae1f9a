// An update of the service, from the upload of a bundle to a new version that is kept, or to the previous one again.
// Each state outlives a restart and a power cut: what it does next is on the disk before it is done.
import type { SnapshotFrom } from 'xstate'
import type { ActionBodies } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import { COMING_UP } from '../supervision/child.ts'
import type { Restored, RestoredState } from './restore.ts'
import { notSent, notStarted, type UpdateCommand } from './update-commands.ts'
import {
  draftOf,
  NOTHING_KNOWN,
  refusalOfApply,
  refusing,
  refusingForNow,
  refusingUnavailable,
  refusingUpload,
  type UpdateContext,
  type updateActions,
  updateSetup,
} from './update-setup.ts'
import type { UpdateStateName } from './update-state.ts'
import type { StoredUpload } from './upload.ts'

interface InContext {
  readonly context: UpdateContext
}

interface InError {
  readonly event: { readonly error: unknown }
}

/** The failure that an effect ended with. */
const failureIn =
  (state: UpdateStateName) =>
  ({ event }: InError) => {
    const { code, detail } = faultOf(event.error)
    return { code, detail, state }
  }

const NOT_STARTED = { code: notStarted.code, detail: notStarted.detail, state: 'restarting' } as const

const NOT_SENT = { code: notSent.code, detail: notSent.detail, state: 'receiving' } as const

const faultIn = ({ event }: InError): Fault => faultOf(event.error)

/** What is wrong with the updater itself is shown, and entered in the error history. */
const NOTE_FAULT = [
  { type: 'setFault', params: faultIn },
  { type: 'record', params: faultIn },
] as const

/** Whoever waits is told that it was done. */
const ANSWER_DONE = ['replyDone', 'forgetAsk'] as const

/** Whoever waits is told why it was not done. */
const ANSWER_FAILED = [{ type: 'replyFailed', params: faultIn }, 'forgetAsk'] as const

/** The order is not on the disk: it was not given. */
const NOT_ORDERED = {
  guard: 'isAsked',
  target: '#update.ready',
  actions: [...ANSWER_FAILED, 'unschedule'],
} as const

const uploadIn = ({ event }: { readonly event: { readonly output: StoredUpload } }): StoredUpload => event.output

/** Its bytes may come. */
const ARRIVING = {
  target: 'arriving',
  actions: [{ type: 'setUpload', params: uploadIn }, { type: 'replyUpload', params: uploadIn }, 'forgetAsk'],
} as const

/** No more comes of the upload. */
const NOT_RECEIVED = {
  target: '#update.failed',
  actions: [...ANSWER_FAILED, { type: 'fail', params: failureIn('receiving') }],
} as const

/** Where it stands by what is on the disk. */
const restored = <const State extends RestoredState, const Target extends string>(state: State, target: Target) =>
  ({
    guard: {
      type: 'isRestored',
      params: ({ event }: { readonly event: { readonly output: Restored } }) => ({ state, restored: event.output }),
    },
    target,
    actions: {
      type: 'takeRestored',
      params: ({ event }: { readonly event: { readonly output: Restored } }) => event.output,
    },
  }) as const

/** The commands that a state does not take are refused, each with a sentence. */
const refused = (state: UpdateStateName) => ({ actions: { type: 'refuse', params: refusing(state) } }) as const

const ifUnavailable = { guard: 'isUnavailable', actions: { type: 'refuse', params: refusingUnavailable } } as const

/** The previous order is still being written down. */
const ifAsked = { guard: 'isAsked', actions: { type: 'refuse', params: refusingForNow } } as const

/** Another upload takes the place of what was there. */
const receive = [
  ifUnavailable,
  ifAsked,
  {
    target: '#update.receiving',
    actions: [
      'keepAsk',
      {
        type: 'announce',
        params: ({ event }: { readonly event: Extract<UpdateCommand, { readonly type: 'update.receive' }> }) =>
          event.announced,
      },
    ],
  },
] as const

/** All of the upload is here. */
const received = [
  {
    guard: {
      type: 'isOther',
      params: ({ event }: { readonly event: Extract<UpdateCommand, { readonly type: 'update.received' }> }) => event.id,
    },
    actions: { type: 'refuse', params: refusing('idle') },
  },
  { target: 'completing', actions: 'keepAsk' },
] as const

/** The states within one in which nothing is done: the record is written, and is written again until that is done. */
const keeping = (state: UpdateStateName, forgetsBundle: boolean) =>
  ({
    initial: 'saving',
    states: {
      saving: {
        invoke: {
          id: 'keep',
          src: 'keep',
          input: ({ context }: InContext) => ({ draft: draftOf(state, context), forgetsBundle }),
          onDone: [
            {
              guard: 'isAsked',
              target: 'kept',
              actions: [...ANSWER_DONE, { type: 'setFault', params: null }],
            },
            { target: 'kept', actions: { type: 'setFault', params: null } },
          ],
          onError: [
            { guard: 'isAsked', target: 'unsaved', actions: [...ANSWER_FAILED, ...NOTE_FAULT] },
            { target: 'unsaved', actions: NOTE_FAULT },
          ],
        },
      },
      kept: {},
      unsaved: { after: { retry: 'saving' } },
    },
  }) as const

/**
 * The state within one that was ordered in which that is being written down. next: the one after it. unsaved: what is
 * done when it cannot be, and nobody waits.
 */
const ordering = <const Target extends string, const Unsaved>(state: UpdateStateName, next: Target, unsaved: Unsaved) =>
  ({
    on: { 'update.cancel': refused('applying') },
    invoke: {
      id: 'keep',
      src: 'keep',
      input: ({ context }: InContext) => ({ draft: draftOf(state, context), forgetsBundle: false }),
      onDone: [{ guard: 'isAsked', target: next, actions: ANSWER_DONE }, { target: next }],
      onError: [NOT_ORDERED, unsaved],
    },
  }) as const

/** A state in which no update is under way. */
const resting = (state: UpdateStateName) =>
  ({
    on: {
      'update.receive': receive,
      'update.resume': { actions: { type: 'refuse', params: refusingUpload } },
      'update.apply': [ifUnavailable, refused(state)],
      'update.cancel': [ifUnavailable, refused(state)],
    },
    ...keeping(state, true),
  }) as const

/** What is refused while something is under way. */
const busy = (state: UpdateStateName) =>
  ({
    'update.receive': refused(state),
    'update.resume': refused(state),
    'update.apply': refused(state),
    'update.cancel': refused(state),
  }) as const

const cancelTo = <const Target extends string>(target: Target, action: 'forget' | 'unschedule') =>
  ({ target, actions: ['keepAsk', action] }) as const

export const updateMachine = updateSetup.createMachine({
  id: 'update',
  context: ({ input }) => ({ ...NOTHING_KNOWN, ...input }),
  invoke: { id: 'watchDevice', src: 'watchDevice' },
  initial: 'restoring',
  on: {
    'device.seen': { actions: { type: 'seeDevice', params: ({ event }) => event } },
    'update.received': refused('idle'),
  },
  states: {
    /** What is on the disk is being read. */
    restoring: {
      tags: COMING_UP,
      invoke: {
        id: 'restore',
        src: 'restore',
        onDone: [
          restored('receiving', 'receiving.paused'),
          restored('completing', 'receiving.completing'),
          restored('verifying', 'verifying'),
          restored('ready', 'ready'),
          restored('scheduled', 'scheduled'),
          restored('restarting', 'restarting'),
          restored('undoing', 'restarting.restored'),
          restored('trial', 'trial'),
          restored('committed', 'committed'),
          restored('rolled-back', 'rolled-back'),
          restored('failed', 'failed'),
          { target: 'idle', actions: { type: 'takeRestored', params: ({ event }) => event.output } },
        ],
        onError: { target: 'unreadable', actions: NOTE_FAULT },
      },
    },
    unreadable: { after: { retry: 'restoring' } },
    idle: resting('idle'),
    receiving: {
      on: { ...busy('receiving'), 'update.cancel': cancelTo('idle', 'forget') },
      initial: 'opening',
      states: {
        /** Room is being made. */
        opening: {
          on: { 'update.cancel': refused('receiving') },
          invoke: {
            id: 'begin',
            src: 'begin',
            input: ({ context }) => ({ draft: draftOf('receiving', context), announced: context.announced }),
            onDone: ARRIVING,
            onError: NOT_RECEIVED,
          },
        },
        arriving: {
          on: {
            'update.received': received,
            /** The connection of who sends may have died without a word. */
            'update.resume': [
              { guard: { type: 'isOther', params: ({ event }) => event.id }, ...refused('receiving') },
              { guard: 'isResumable', target: 'resuming', actions: 'keepAsk' },
              refused('receiving'),
            ],
            'update.paused': [{ guard: { type: 'isOther', params: ({ event }) => event.id } }, { target: 'paused' }],
            'update.receive_failed': [
              { guard: { type: 'isOther', params: ({ event }) => event.id } },
              {
                target: '#update.failed',
                actions: {
                  type: 'fail',
                  params: ({ event: { fault } }) => ({ code: fault.code, detail: fault.detail, state: 'receiving' }),
                },
              },
            ],
          },
          initial: 'expected',
          states: {
            /** Whoever asked may have left before it was answered. */
            expected: {
              on: {
                'update.arriving': [
                  { guard: { type: 'isOther', params: ({ event }) => event.id } },
                  { target: 'coming' },
                ],
              },
              after: {
                unclaimed: [
                  { guard: 'isResumable', target: '#update.receiving.paused' },
                  { target: '#update.failed', actions: { type: 'fail', params: NOT_SENT } },
                ],
              },
            },
            coming: {},
          },
        },
        /** Nothing arrives; it can be gone on with, or another one begins. */
        paused: {
          on: {
            'update.receive': receive,
            'update.received': received,
            'update.resume': [
              {
                guard: { type: 'isOther', params: ({ event }) => event.id },
                actions: { type: 'refuse', params: refusingUpload },
              },
              { target: 'resuming', actions: 'keepAsk' },
            ],
          },
        },
        resuming: {
          on: { 'update.cancel': refused('receiving') },
          invoke: {
            id: 'resume',
            src: 'resume',
            input: ({ context }) => ({ id: context.upload?.id ?? '' }),
            onDone: ARRIVING,
            onError: { target: 'paused', actions: ANSWER_FAILED },
          },
        },
        completing: {
          on: { 'update.cancel': refused('receiving') },
          invoke: {
            id: 'complete',
            src: 'complete',
            input: ({ context }) => ({ draft: draftOf('verifying', context), id: context.upload?.id ?? '' }),
            onDone: { target: '#update.verifying', actions: ANSWER_DONE },
            onError: NOT_RECEIVED,
          },
        },
      },
    },
    verifying: {
      on: { ...busy('verifying'), 'update.cancel': cancelTo('idle', 'forget') },
      invoke: {
        id: 'verify',
        src: 'verify',
        input: ({ context }) => ({ draft: draftOf('verifying', context) }),
        onDone: { target: 'ready', actions: { type: 'setOffered', params: ({ event }) => event.output } },
        onError: { target: 'failed', actions: { type: 'fail', params: failureIn('verifying') } },
      },
    },
    ready: {
      on: {
        'update.receive': receive,
        'update.resume': { actions: { type: 'refuse', params: refusingUpload } },
        'update.apply': [
          ifAsked,
          {
            guard: { type: 'mayNotApply', params: ({ context, event }) => refusalOfApply(context, event) },
            actions: {
              type: 'refuse',
              params: ({ context, event }) => ({ ask: event.ask, fault: refusalOfApply(context, event) as Fault }),
            },
          },
          {
            guard: { type: 'isForIdle', params: ({ event }) => event.when },
            target: 'scheduled',
            actions: ['keepAsk', { type: 'setApply', params: ({ event }) => event }],
          },
          { target: 'applying', actions: ['keepAsk', { type: 'setApply', params: ({ event }) => event }] },
        ],
        'update.cancel': [ifAsked, cancelTo('idle', 'forget')],
      },
      ...keeping('ready', false),
    },
    /** Applied as soon as nothing is interrupted by it. */
    scheduled: {
      on: { ...busy('scheduled'), 'update.cancel': cancelTo('ready', 'unschedule') },
      initial: 'saving',
      states: {
        saving: ordering('scheduled', 'waiting', { target: 'waiting' }),
        waiting: { always: { guard: 'nothingIsInterrupted', target: '#update.applying' } },
      },
    },
    applying: {
      on: { ...busy('applying'), 'update.cancel': cancelTo('ready', 'unschedule') },
      initial: 'saving',
      states: {
        saving: ordering('applying', 'writing', {
          target: '#update.failed',
          actions: { type: 'fail', params: failureIn('applying') },
        }),
        /** Where nothing runs. */
        writing: {
          invoke: {
            id: 'install',
            src: 'install',
            input: ({ context }) => ({ draft: draftOf('applying', context) }),
            onDone: { target: 'waiting', actions: { type: 'setInstalled', params: ({ event }) => event.output } },
            onError: { target: '#update.failed', actions: { type: 'fail', params: failureIn('applying') } },
          },
        },
        /** The robot may have been enabled meanwhile. */
        waiting: { always: { guard: 'nothingIsInterrupted', target: 'activating' } },
        activating: {
          on: { 'update.cancel': refused('restarting') },
          invoke: {
            id: 'activate',
            src: 'activate',
            input: ({ context }) => ({ draft: draftOf('applying', context), name: context.target ?? '' }),
            onDone: {
              target: '#update.restarting',
              actions: { type: 'setBefore', params: ({ event }) => event.output },
            },
            // it may be chosen all the same
            onError: {
              target: '#update.restarting.undoing',
              actions: { type: 'noteFailure', params: failureIn('applying') },
            },
          },
        },
      },
    },
    restarting: {
      on: busy('restarting'),
      initial: 'ending',
      states: {
        ending: {
          entry: 'countRestart',
          invoke: {
            id: 'restart',
            src: 'restart',
            input: ({ context }) => ({ draft: draftOf('restarting', context) }),
            onError: { target: 'undoing', actions: { type: 'noteFailure', params: NOT_STARTED } },
          },
          after: { restartLimit: { target: 'undoing', actions: { type: 'noteFailure', params: NOT_STARTED } } },
        },
        /** The restart was ordered too often. */
        restored: {
          always: { target: 'undoing', actions: { type: 'noteFailure', params: NOT_STARTED } },
        },
        /** This run goes on: no other version may be started by surprise. */
        undoing: {
          invoke: {
            id: 'undo',
            src: 'undo',
            input: ({ context }) => ({ reason: (context.failure ?? NOT_STARTED).detail }),
            onDone: {
              target: '#update.failed',
              actions: [{ type: 'setSlots', params: ({ event }) => event.output }, 'forget'],
            },
            onError: {
              target: 'stuck',
              actions: NOTE_FAULT,
            },
          },
        },
        stuck: { after: { retry: 'undoing' } },
      },
    },
    trial: {
      on: busy('trial'),
      invoke: { id: 'watchHealth', src: 'watchHealth', input: ({ context }) => ({ draft: draftOf('trial', context) }) },
      initial: 'watched',
      states: {
        watched: {
          after: { trialLimit: 'going-back' },
          initial: 'unwell',
          states: {
            unwell: {
              on: {
                'health.seen': [
                  {
                    guard: { type: 'isWell', params: ({ event }) => event.missing },
                    target: 'steady',
                    actions: { type: 'seeHealth', params: ({ event }) => event.missing },
                  },
                  { actions: { type: 'seeHealth', params: ({ event }) => event.missing } },
                ],
              },
            },
            steady: {
              on: {
                'health.seen': [
                  { guard: { type: 'isWell', params: ({ event }) => event.missing } },
                  { target: 'unwell', actions: { type: 'seeHealth', params: ({ event }) => event.missing } },
                ],
              },
              after: { steady: 'committing' },
            },
            committing: {
              invoke: {
                id: 'commit',
                src: 'commit',
                input: ({ context }) => ({ draft: draftOf('committed', context) }),
                onDone: {
                  target: '#update.committed',
                  actions: [{ type: 'setSlots', params: ({ event }) => event.output }, 'forget', 'forgetFailure'],
                },
                onError: {
                  target: 'uncommitted',
                  actions: ['notWritten', ...NOTE_FAULT],
                },
              },
            },
            uncommitted: { after: { retryCommit: 'committing' } },
          },
        },
        'going-back': {
          invoke: {
            id: 'goBack',
            src: 'goBack',
            input: ({ context }) => ({
              draft: draftOf('trial', context),
              reason: `it was not well for long enough: ${context.missing.join('; ') || 'nothing was heard of it'}`,
            }),
          },
          after: { restartLimit: { target: 'going-back', reenter: true } },
        },
      },
    },
    committed: resting('committed'),
    'rolled-back': resting('rolled-back'),
    failed: resting('failed'),
  },
})

/** The state as people see it; null: what is on the disk is not read yet, or cannot be. */
export const updateStateName = ({
  value,
}: Pick<SnapshotFrom<typeof updateMachine>, 'value'>): UpdateStateName | null => {
  const name = typeof value === 'string' ? value : (Object.keys(value)[0] as string)
  return name === 'restoring' || name === 'unreadable' ? null : (name as UpdateStateName)
}

/** Their bodies. */
export type UpdateActions = ActionBodies<typeof updateActions, typeof updateMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly update: typeof updateMachine
  }
}
