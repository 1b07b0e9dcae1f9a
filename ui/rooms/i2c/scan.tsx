// The scan of a bus: what it does is said before it is started.
import { useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { Alert, Button, Dialog, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { jobs } from '../../state/device.ts'
import { type I2cAdapter, SCAN_JOB, scanBus } from '../../state/i2c.ts'
import { useKnownOf } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'

interface ScanProps {
  readonly adapter: I2cAdapter
}

/** The way to scan it, a scan that runs, or why there is none. */
export const Scan = ({ adapter: { adapter, scan, scan_detail } }: ScanProps) => {
  const [isAsked, setAsked] = useState(false)
  const [started, setStarted] = useState<string>() // the job of this bus that was started here
  const { state, write } = useWrite()
  const cancelling = useWrite()
  const all = useKnownOf(jobs, ({ value }) => value)
  const open = all?.find(({ kind, ended_at_ms }) => kind === SCAN_JOB && ended_at_ms === null)
  const mine = all?.find(({ id }) => id === started)
  const name = `i2c-${adapter}`
  const start = async () => {
    setAsked(false)
    const answer = await write(() => scanBus(adapter, scan === 'unknown'))
    if (answer.ok) setStarted(answer.value.id)
  }
  const cancel = (id: string) =>
    cancelling.write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))
  if (scan === 'refused' || scan === 'not_possible')
    return <p className="hint">{scan === 'refused' ? `It is never scanned: ${scan_detail}.` : `${scan_detail}.`}</p>
  return (
    <>
      {mine && open === mine && (
        <div className="stack">
          <p role="status">{mine.progress.message || `${name} is being scanned.`}</p>
          <progress
            aria-label={`The scan of ${name}`}
            max={100}
            {...(mine.progress.percent !== null && { value: mine.progress.percent })}
          />
          <div>
            <Button onClick={() => void cancel(mine.id)}>Cancel the scan</Button>
          </div>
          {cancelling.state.state === 'refused' && <WriteNote state={cancelling.state} />}
        </div>
      )}
      {mine?.fault && (
        <Alert tone="bad">
          <ProblemNote problem={mine.fault} title="The scan did not come to its end." />
        </Alert>
      )}
      <div className="row">
        <Button disabled={open !== undefined || state.state === 'pending'} onClick={() => setAsked(true)}>
          Scan {name}
        </Button>
        {open && open !== mine && <span className="hint">A scan runs.</span>}
      </div>
      {state.state === 'refused' && <WriteNote state={state} />}
      {isAsked && (
        <Dialog title={`Scan ${name}?`} onClose={() => setAsked(false)}>
          <p>
            One byte is read at each address. Most chips take that well; some do not, and then a sensor may need to be
            without power once before it works again. Do it while the robot is disabled.
          </p>
          {scan === 'unknown' && (
            <p>
              <strong>Of this bus nothing is known</strong>: {scan_detail}. Scan it only if you know what hangs on it.
            </p>
          )}
          <div className="row">
            <Button kind={scan === 'unknown' ? 'danger' : 'main'} onClick={() => void start()}>
              {scan === 'unknown' ? 'Scan it all the same' : 'Scan it'}
            </Button>
            <Button onClick={() => setAsked(false)}>Leave it alone</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
