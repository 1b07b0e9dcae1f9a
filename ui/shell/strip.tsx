// The strip at the foot of the window: jobs with how far they are, and what can still be taken back.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { api, ask } from '../api/client.ts'
import { Button } from '../parts/parts.tsx'
import { jobs } from '../state/device.ts'
import { useKnownOf } from '../state/live.ts'

const UNDO_MS = 6000

interface Undoable {
  readonly id: number
  readonly text: string
  readonly carryOut: (isLeaving: boolean) => void
  readonly undo: () => void
}

let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const undoables = createStore({
  context: { items: [] as readonly Undoable[] },
  on: {
    added: ({ items }, { item }: { item: Undoable }) => ({ items: [...items, item] }),
    removed: ({ items }, { id }: { id: number }) => ({ items: items.filter((each) => each.id !== id) }),
  },
})

const take = (id: number): Undoable | undefined => {
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
    setTimeout(() => take(id)?.carryOut(false), UNDO_MS),
  )
}

addEventListener('pagehide', () => {
  for (const { id } of undoables.getSnapshot().context.items) take(id)?.carryOut(true)
})

const cancel = (id: string) => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } }))

/** The strip. */
export const Strip = () => {
  const running =
    useKnownOf(jobs, ({ value }) => value)?.filter(({ state }) => ['queued', 'running'].includes(state)) ?? []
  const items = useSelector(undoables, ({ context }) => context.items)
  if (running.length + items.length === 0) return null
  return (
    <aside className="strip" aria-label="Going on">
      {items.map(({ id, text }) => (
        <div key={id} role="status">
          <span className="grow">{text}</span>
          <Button onClick={() => take(id)?.undo()}>Undo</Button>
        </div>
      ))}
      {running.map(({ id, kind, progress }) => (
        <div key={id}>
          <span>{progress.message || kind.replaceAll('_', ' ')}</span>
          <progress aria-label={kind} max={100} {...(progress.percent !== null && { value: progress.percent })} />
          <Button onClick={() => void cancel(id)}>Cancel</Button>
        </div>
      ))}
    </aside>
  )
}
