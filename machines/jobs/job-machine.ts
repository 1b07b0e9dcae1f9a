// One run of a job's work. It is run once: however it ends, the job has ended. What the work says of its progress is
// shown at once, and then at most twice a second.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { faultOf } from '../errors/fault.ts'
import { type Ending, failed, type Progress, progressOf } from './job.ts'

/** runWork: does the work, and answers how it ended. */
export const jobEffects = { runWork: needed<Ending>('runWork') }
export type JobEffects = typeof jobEffects

export type JobEvent = { readonly type: 'progress.reported'; readonly progress: Progress }

const SHOW_EVERY_MS = 500 // people see no more, and each is an event to every client

/** The actions that the actor provides. */
const jobActions = {
  showProgress: providedAction<Progress>(),
  showEnd: providedAction<Ending>(),
}

export const jobMachine = setup({
  types: {
    /** isDue: the latest progress has not been shown. */
    context: {} as { readonly progress: Progress; readonly isDue: boolean },
    events: {} as JobEvent,
  },
  actors: jobEffects,
  actions: {
    ...jobActions,
    keep: assign(({ context, event }) => ('progress' in event ? { progress: event.progress, isDue: true } : context)),
  },
  guards: { isDue: ({ context }) => context.isDue },
  delays: { showEvery: SHOW_EVERY_MS },
}).createMachine({
  id: 'job',
  context: { progress: progressOf({}), isDue: false },
  initial: 'running',
  states: {
    running: {
      invoke: {
        id: 'runWork',
        src: 'runWork',
        onDone: {
          target: 'ended',
          actions: {
            type: 'showEnd',
            params: ({ context, event }) => ({ ...(event.output as Ending), progress: context.progress }),
          },
        },
        onError: {
          target: 'ended',
          actions: {
            type: 'showEnd',
            params: ({ context, event }) => ({ ...failed(faultOf(event.error)), progress: context.progress }),
          },
        },
      },
      initial: 'quiet',
      on: { 'progress.reported': { actions: 'keep' } },
      states: {
        quiet: { on: { 'progress.reported': { target: 'showing', actions: 'keep' } } },
        /** Shown within the last half second. */
        showing: {
          entry: [{ type: 'showProgress', params: ({ context }) => context.progress }, assign({ isDue: false })],
          after: { showEvery: [{ guard: 'isDue', target: 'showing', reenter: true }, { target: 'quiet' }] },
        },
      },
    },
    ended: { type: 'final' },
  },
})

/** Their bodies. */
export type JobActions = ActionBodies<typeof jobActions, typeof jobMachine>
