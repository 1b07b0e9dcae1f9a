// Restarts of the service and of the whole device.
import { useState } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Alert, Button, Card, Dialog, WriteNote } from '../../parts/parts.tsx'
import { jobs } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'

type Target = 'service' | 'device'

const WORDS: Readonly<Record<Target, { readonly title: string; readonly what: string }>> = {
  service: { title: 'Restart the service?', what: 'All streams are away for some seconds.' },
  device: { title: 'Restart the device?', what: 'It is away for a minute or longer, and all streams with it.' },
}

const KIND = 'restart'

/** What is said of the newest one. */
const textOf = ({ state, progress, fault, result }: Documents['Job']): string => {
  if (fault) return fault.detail
  if (state === 'cancelled') return 'The restart was cancelled.'
  if (state === 'done') return (result as { detail?: string } | null)?.detail ?? 'It has started again.'
  return progress.message || 'A restart is ordered.'
}

const isOpen = ({ ended_at_ms }: Documents['Job']): boolean => ended_at_ms === null

/** Restarts at once, or as soon as nothing is interrupted. */
export const RestartCard = () => {
  const newest = useKnownOf(jobs, ({ value }) => value?.find(({ kind }) => kind === KIND))
  const [asked, setAsked] = useState<Target>()
  const { state, write } = useWrite()
  const cancelling = useWrite()
  const order = (target: Target, when: 'now' | 'idle') => {
    setAsked(undefined)
    void write(() => ask(api.POST('/v1/device/restart', { body: { target, when } })))
  }
  const cancel = (id: string) =>
    cancelling.write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))
  const open = newest && isOpen(newest) ? newest : undefined
  return (
    <Card title="Restart">
      <div className="card-body stack">
        {newest && (
          <Alert
            tone={newest.fault ? 'bad' : open ? 'busy' : 'quiet'}
            action={open && <Button onClick={() => void cancel(open.id)}>Cancel</Button>}
          >
            {textOf(newest)}
          </Alert>
        )}
        <div className="row">
          <Button disabled={open !== undefined} onClick={() => setAsked('service')}>
            Restart the service
          </Button>
          <Button disabled={open !== undefined} onClick={() => setAsked('device')}>
            Restart the device
          </Button>
        </div>
        <WriteNote state={state} />
      </div>
      {asked && (
        <Dialog title={WORDS[asked].title} onClose={() => setAsked(undefined)}>
          <p>{WORDS[asked].what} It is refused while the robot is enabled.</p>
          <div className="row">
            <Button kind="main" onClick={() => order(asked, 'now')}>
              Restart now
            </Button>
            <Button onClick={() => order(asked, 'idle')}>When nothing is interrupted</Button>
            <Button kind="plain" onClick={() => setAsked(undefined)}>
              Leave it running
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  )
}
