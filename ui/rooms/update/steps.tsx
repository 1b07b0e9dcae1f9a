// The way of an update as a line of steps, the present one lit.
import type { UpdateState } from '../../state/update.ts'

const STEPS = [
  { state: 'receiving', name: 'Receive' },
  { state: 'verifying', name: 'Check' },
  { state: 'ready', name: 'Ready' },
  { state: 'scheduled', name: 'Wait' },
  { state: 'applying', name: 'Write' },
  { state: 'restarting', name: 'Restart' },
  { state: 'trial', name: 'Trial' },
  { state: 'committed', name: 'Stays' },
] as const

/** How many of the steps lie behind: of those that ended badly, the one where they did counts. */
const reached = ({ state, failure }: UpdateState): number => {
  const shown = state === 'rolled-back' ? 'trial' : state === 'failed' ? failure?.state : state
  return STEPS.findIndex((step) => step.state === shown)
}

const markOf = (at: number, now: number, isBad: boolean): 'done' | 'now' | 'bad' | 'open' => {
  if (at < now) return 'done'
  if (at > now) return 'open'
  return isBad ? 'bad' : 'now'
}

const SPOKEN = { done: 'done', now: 'now', bad: 'ended here', open: 'not yet' } as const

/** All of them. */
export const Steps = ({ known }: { readonly known: UpdateState }) => {
  const now = reached(known)
  const isBad = known.state === 'failed' || known.state === 'rolled-back'
  return (
    <ol className="update-steps" aria-label="Steps of the update">
      {STEPS.map(({ state, name }, at) => {
        const mark = markOf(at, now, isBad)
        return (
          <li key={state} data-mark={mark} aria-current={at === now ? 'step' : undefined}>
            {name}
            <span className="only-read-aloud"> ({SPOKEN[mark]})</span>
          </li>
        )
      })}
    </ol>
  )
}
