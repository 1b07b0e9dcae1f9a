// That a stream gets less than it wants, and why, with the way to the page of the guard.
import { Gauge } from 'lucide-react'
import { Link } from 'wouter'
import { type GuardedStatus, restoreStream } from '../state/guard.ts'
import { useWrite } from '../state/write.ts'
import { guardWords } from './guard-words.ts'
import { Alert, Button, WriteNote } from './parts.tsx'

/** In a line, where there is little room. */
export const GuardLine = ({ guard }: { readonly guard: GuardedStatus | null }) => {
  const words = guard && guardWords(guard)
  if (!words) return null
  return (
    <Link className="hint" href="/device/guard">
      {words}
    </Link>
  )
}

/** The button that gives a stream everything back. */
export const RestoreButton = ({ id }: { readonly id: string }) => {
  const { state, write } = useWrite()
  return (
    <div className="row">
      <Button disabled={state.state === 'pending'} onClick={() => void write(() => restoreStream(id))}>
        Give it all back
      </Button>
      <WriteNote state={state} />
    </div>
  )
}

/** In full, on the page of the stream. */
export const GuardNote = ({ id, guard }: { readonly id: string; readonly guard: GuardedStatus | null }) => {
  if (!guard || guardWords(guard) === undefined) return null
  return (
    <Alert tone="busy" icon={<Gauge size={18} aria-hidden />} action={<RestoreButton id={id} />}>
      {guard.detail} It comes back by itself. <Link href="/device/guard">What the guard does</Link>
    </Alert>
  )
}
