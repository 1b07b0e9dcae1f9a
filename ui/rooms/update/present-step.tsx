// The step in which an update is, and what can be pressed in it.
import { useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { Alert, Button, Card, Figure, Figures, State, WriteNote } from '../../parts/parts.tsx'
import type { UpdateState } from '../../state/update.ts'
import { useWrite } from '../../state/write.ts'
import { sizeOf } from '../../words.ts'
import { Steps } from './steps.tsx'

const CAN_BE_CANCELLED: readonly UpdateState['state'][] = ['receiving', 'verifying', 'ready', 'scheduled', 'applying']

const Progress = ({ progress }: { readonly progress: NonNullable<UpdateState['progress']> }) => {
  const { stage, percent, bytes, total_bytes } = progress
  return (
    <div className="stack update-progress">
      <progress aria-label={stage} max={100} {...(percent !== null && { value: percent })} />
      <span>
        {stage}
        {bytes > 0 && `: ${sizeOf(bytes)}${total_bytes === null ? '' : ` of ${sizeOf(total_bytes)}`}`}
        {percent !== null && `, ${Math.floor(percent)} %`}
      </span>
    </div>
  )
}

const Trial = ({ trial }: { readonly trial: NonNullable<UpdateState['trial']> }) => (
  <div className="stack">
    <Figures>
      <Figure name="well for" value={trial.healthy_for_s} unit="s" size="large" />
      <Figure name="needed" value={trial.needed_s} unit="s" size="large" />
    </Figures>
    {trial.missing.length > 0 && (
      <Alert tone="busy">
        Not well yet: {trial.missing.join('; ')}. If that does not change, the device goes back to the version before by
        itself.
      </Alert>
    )}
  </div>
)

/** Older versions are taken only when somebody says so. */
const isOlderThanAllowed = (code: string): boolean => code === 'update.too_old'

const Apply = ({ known: { state, offered, scheduled } }: { readonly known: UpdateState }) => {
  const applying = useWrite()
  const [last, setLast] = useState<'now' | 'idle'>('now')
  const apply = (when: 'now' | 'idle', allowsOlder = false) => {
    setLast(when)
    void applying.write(() =>
      ask(api.POST('/v1/ota/apply', { body: { when, ...(allowsOlder && { allow_downgrade: true }) } })),
    )
  }
  if (!offered || !['ready', 'failed', 'scheduled'].includes(state)) return null
  const isTooOld = applying.state.state === 'refused' && isOlderThanAllowed(applying.state.problem.code)
  return (
    <div className="stack">
      {scheduled && scheduled.waits_for.length > 0 && (
        <Alert tone="busy">Waits for: {scheduled.waits_for.join('; ')}.</Alert>
      )}
      <p className="hint">
        The robot must be disabled. The device is away for some seconds; if the new version does not do well, the device
        goes back to the present one by itself.
      </p>
      {state === 'scheduled' && <p className="hint">To have it at once, cancel it first: it stays ready.</p>}
      <div className="row">
        {state !== 'scheduled' && (
          <>
            <Button kind="main" onClick={() => apply('now')}>
              Update now
            </Button>
            <Button onClick={() => apply('idle')}>Update when the device is idle</Button>
          </>
        )}
        {isTooOld && (
          <Button kind="danger" onClick={() => apply(last, true)}>
            Install the older version all the same
          </Button>
        )}
      </div>
      <WriteNote state={applying.state} />
    </div>
  )
}

/** The card of it. */
export const PresentStep = ({ known }: { readonly known: UpdateState }) => {
  const cancelling = useWrite()
  const { state, detail, progress, trial } = known
  const canCancel = CAN_BE_CANCELLED.includes(state)
  return (
    <Card title="Where it stands" side={<State state={state}>{wordOf(state)}</State>}>
      <div className="card-body stack">
        <Steps known={known} />
        <p role="status" className="update-sentence">
          {detail}
        </p>
        {progress && <Progress progress={progress} />}
        {trial && <Trial trial={trial} />}
        <Apply known={known} />
        {canCancel && (
          <div className="row">
            <Button onClick={() => void cancelling.write(() => ask(api.POST('/v1/ota/cancel', { body: {} })))}>
              Cancel the update
            </Button>
            <WriteNote state={cancelling.state} />
          </div>
        )}
      </div>
    </Card>
  )
}

const STATE_WORDS: Partial<Readonly<Record<UpdateState['state'], string>>> = {
  idle: 'nothing under way',
  verifying: 'being checked',
  scheduled: 'waiting',
  applying: 'being written',
  trial: 'on trial',
  committed: 'updated',
  'rolled-back': 'went back',
}

const wordOf = (state: UpdateState['state']): string => STATE_WORDS[state] ?? state
