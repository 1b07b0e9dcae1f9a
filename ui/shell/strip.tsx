// The strip at the foot of the window: jobs with how far they are, and what can still be taken back.
import { useSelector } from '@xstate/store-react'
import { api, ask } from '../api/client.ts'
import { Button } from '../parts/parts.tsx'
import { jobs } from '../state/device.ts'
import { useKnownOf } from '../state/live.ts'
import { takeUndoable, undoables } from '../state/undo.ts'

const cancel = (id: string) => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } }))

/** The strip. */
export const Strip = () => {
  const running =
    useKnownOf(jobs, ({ value }) => value)?.filter(({ state }) =>
      ['queued', 'running', 'waiting-user'].includes(state),
    ) ?? []
  const items = useSelector(undoables, ({ context }) => context.items)
  if (running.length + items.length === 0) return null
  return (
    <aside className="strip" aria-label="Going on">
      {items.map(({ id, text }) => (
        <div key={id} role="status">
          <span className="grow">{text}</span>
          <Button onClick={() => takeUndoable(id)?.undo()}>Undo</Button>
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
