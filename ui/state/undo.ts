// What somebody has asked for that cannot be taken back once it is done: it waits some seconds, in which it can.
import { createStore } from '@xstate/store'

const UNDO_MS = 6000

/** Something that is carried out after some seconds. */
export interface Undoable {
  readonly id: number
  readonly text: string
  readonly carryOut: (isLeaving: boolean) => void
  readonly undo: () => void
}

let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()
/** What can still be taken back. */
export const undoables = createStore({
  context: { items: [] as readonly Undoable[] },
  on: {
    added: ({ items }, { item }: { item: Undoable }) => ({ items: [...items, item] }),
    removed: ({ items }, { id }: { id: number }) => ({ items: items.filter((each) => each.id !== id) }),
  },
})

/** Takes one out of the list, to be undone or carried out now. */
export const takeUndoable = (id: number): Undoable | undefined => {
  const item = undoables.getSnapshot().context.items.find((each) => each.id === id)
  clearTimeout(timers.get(id))
  timers.delete(id)
  undoables.trigger.removed({ id })
  return item
}

/**
 * Carries something out that cannot be taken back, after some seconds in which it can. carryOut: isLeaving when the
 * page is being left, where only a request with `keepalive` gets through. undo: shows it again.
 */
export const withUndo = (text: string, carryOut: (isLeaving: boolean) => void, undo: () => void): void => {
  lastId += 1
  const id = lastId
  undoables.trigger.added({ item: { id, text, carryOut, undo } })
  timers.set(
    id,
    setTimeout(() => takeUndoable(id)?.carryOut(false), UNDO_MS),
  )
}

addEventListener('pagehide', () => {
  for (const { id } of undoables.getSnapshot().context.items) takeUndoable(id)?.carryOut(true)
})
