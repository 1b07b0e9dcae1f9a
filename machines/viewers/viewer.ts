// Where a viewer of live pictures is: which process writes to its socket, and what happens next. There is never more
// than one writer.
import type { HalfPart, Owed } from './record.ts'

/**
 * The states.
 *
 * - `here`: this process writes: the pictures that reach it, or the placeholder. So it is over TLS, and with an engine
 *   that takes no viewers.
 * - `handing-over`: the engine was given the socket and has not said that it has it. Nobody writes.
 * - `with-engine`: the engine writes.
 * - `waiting`: there is no engine; this process shows the placeholder.
 * - `cut-off`: as `waiting`, but the engine died in the midst of a part, and only the next one can tell (it can ask the
 *   kernel) how much of it was sent. Nobody writes.
 * - `ended`: nobody writes any more.
 */
export type ViewerState =
  | { readonly at: 'here' | 'waiting' | 'with-engine' | 'ended' }
  | { readonly at: 'handing-over'; readonly owed: Owed }
  | { readonly at: 'cut-off'; readonly owed: HalfPart }

/**
 * What happens to a viewer. handover.available: there is an engine that takes viewers, or another one. settled: the
 * part that was cut off has been ended. held: the engine has the socket and may write. not-held: it has not, and never
 * will. engine.ended: what it left undone. ended: the viewer left or stalled, or nobody may watch any longer.
 */
export type ViewerEvent =
  | { readonly type: 'handover.available' }
  | { readonly type: 'settled' }
  | { readonly type: 'held' }
  | { readonly type: 'not-held' }
  | { readonly type: 'handover.unavailable' }
  | { readonly type: 'engine.ended'; readonly owed: Owed }
  | { readonly type: 'ended' }

/** A viewer that has just been let in. */
export const newViewer: ViewerState = { at: 'here' }

/** The state after an event; the same one when it means nothing there. */
export const afterEvent = (state: ViewerState, event: ViewerEvent): ViewerState => {
  if (state.at === 'ended') return state
  switch (event.type) {
    case 'ended':
      return { at: 'ended' }
    case 'handover.available':
      if (state.at === 'here' || state.at === 'waiting') return { at: 'handing-over', owed: null }
      return state.at === 'cut-off' ? { at: 'handing-over', owed: state.owed } : state
    case 'settled':
      return state.at === 'handing-over' ? { at: 'handing-over', owed: null } : state
    case 'held':
      return state.at === 'handing-over' ? { at: 'with-engine' } : state
    case 'not-held':
    case 'handover.unavailable':
      if (state.at !== 'handing-over') return state
      if (state.owed) return { at: 'cut-off', owed: state.owed }
      return { at: event.type === 'not-held' ? 'here' : 'waiting' }
    case 'engine.ended':
      if (state.at !== 'with-engine') return state
      return event.owed && event.owed.sentBytes === undefined ? { at: 'cut-off', owed: event.owed } : { at: 'waiting' }
  }
}

/** Whether this process may write to the viewer. */
export const isWrittenHere = ({ at }: ViewerState): boolean => at === 'here' || at === 'waiting'
