// The cameras of the device: looked for whenever something is plugged in, and every few seconds, since such news gets
// lost.
import { assign, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import { ROUTINE } from '../supervision/child.ts'

/** Whether a camera that did not answer may do so soon: a device that is still being set up. */
export interface Looked {
  readonly again: boolean
}

/**
 * lookForCameras: finds, asks and recognises what is plugged in, and shows it. watchFolder: says when device files come
 * and go; it never ends.
 */
const camerasEffects = {
  lookForCameras: needed<Looked>('lookForCameras'),
  watchFolder: needed<never>('watchFolder'),
}
export type CamerasEffects = typeof camerasEffects

/** A device file for video has come or gone. */
export interface CamerasEvent {
  readonly type: 'folder.changed'
}

interface Context {
  readonly fault: Fault | null
  /** The folder has changed since the look began. */
  readonly missed: boolean
  readonly tries: number
}

const SETTLE_MS = 200 // udev gives a new file its group and its links within 20 to 100 ms
const RESCAN_MS = 5_000
const MAX_TRIES = 8 // then with the next rescan: a device that is broken shall not be asked for ever in a row

export const camerasMachine = setup({
  types: { context: {} as Context, events: {} as CamerasEvent },
  actors: camerasEffects,
  guards: {
    hasMissed: ({ context }) => context.missed,
    mayAsk: ({ context }, { again }: Looked) => again && context.tries < MAX_TRIES,
  },
  delays: { settled: SETTLE_MS, rescan: RESCAN_MS },
}).createMachine({
  id: 'cameras',
  context: { fault: null, missed: false, tries: 0 },
  invoke: { id: 'watchFolder', src: 'watchFolder' },
  initial: 'looking',
  states: {
    looking: {
      tags: ROUTINE,
      entry: assign({ missed: false }),
      on: { 'folder.changed': { actions: assign({ missed: true }) } },
      invoke: {
        id: 'lookForCameras',
        src: 'lookForCameras',
        onDone: [
          { guard: 'hasMissed', target: 'settling', actions: assign({ fault: null, tries: 0 }) },
          {
            guard: { type: 'mayAsk', params: ({ event }) => event.output },
            target: 'settling',
            actions: assign({ fault: null, tries: ({ context }) => context.tries + 1 }),
          },
          { target: 'watching', actions: assign({ fault: null }) },
        ],
        onError: { target: 'failed', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    /** What was plugged in is being set up by the system. */
    settling: {
      tags: ROUTINE,
      on: { 'folder.changed': { target: 'settling', reenter: true, actions: assign({ tries: 0 }) } },
      after: { settled: 'looking' },
    },
    watching: {
      tags: ROUTINE,
      entry: assign({ tries: 0 }),
      on: { 'folder.changed': 'settling' },
      after: { rescan: 'looking' },
    },
    /** The system does not say what there is. */
    failed: {
      on: { 'folder.changed': 'settling' },
      after: { rescan: 'looking' },
    },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly cameras: typeof camerasMachine
  }
}
