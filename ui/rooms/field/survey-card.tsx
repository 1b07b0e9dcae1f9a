// A survey is started here, and shown while it goes on.
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { api, ask, type Documents } from '../../api/client.ts'
import { Alert, Button, Card, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { jobs } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { localizationConfig } from '../../state/localization-config.ts'
import { SURVEY_JOB, startSurvey } from '../../state/surveys.ts'
import { useWrite } from '../../state/write.ts'
import { NumberInput } from '../rig/number-input.tsx'
import { JOINT_STATES } from './reasons.ts'

type Job = Documents['Job']

const MIN_PLACES = 30
const MAX_PLACES = 1000
const MAX_MINUTES = 30
const SECONDS = 60

/** What to do, and the button; while one goes on, how far it is. */
export const SurveyCard = ({ mayWrite }: { readonly mayWrite: boolean }) => {
  const state = useKnownOf(localizationConfig, ({ value }) => value?.status.state)
  const last = useKnownOf(jobs, ({ value }) => newestOf(value?.filter(({ kind }) => kind === SURVEY_JOB) ?? []))
  const isOn = last?.ended_at_ms === null
  return (
    <Card
      title="Survey map and rig"
      side={state && <Pill tone={JOINT_STATES[state].tone}>{JOINT_STATES[state].word}</Pill>}
    >
      <div className="card-body stack">
        <p>
          A slow drive shows where the tags really hang and how the cameras really sit. It changes nothing by itself.
        </p>
        <ol className="field-survey-steps">
          <li>Put the robot on the floor of the field, and check that all cameras together know where it is.</li>
          <li>
            Start, then drive slowly over the whole field for about three minutes: near to tags and far from them.
          </li>
          <li>Turn now and then, and stand still for a moment at each place: only a calm robot counts.</li>
          <li>Look at what is proposed, and accept what you believe.</li>
        </ol>
        {state === 'off' && (
          <Alert tone="busy">
            All cameras together are switched off, so nothing can be surveyed.{' '}
            <Link href="/field/settings">Switch that on</Link>
          </Alert>
        )}
        {isOn ? <Progress job={last} mayWrite={mayWrite} /> : mayWrite && <Start />}
        {!isOn && last?.fault && <ProblemNote title="The last survey has failed." problem={last.fault} />}
      </div>
    </Card>
  )
}

const newestOf = (all: readonly Job[]): Job | undefined =>
  all.reduce<Job | undefined>((a, b) => (a && a.created_at_ms > b.created_at_ms ? a : b), undefined)

const Start = () => {
  const [places, setPlaces] = useState(300)
  const [minutes, setMinutes] = useState(3)
  const { state, write } = useWrite()
  const start = (event: FormEvent) => {
    event.preventDefault()
    void write(() => startSurvey({ rounds: places, duration_s: Math.round(minutes * SECONDS) }))
  }
  return (
    <form className="stack" noValidate onSubmit={start}>
      <div className="field-config-numbers">
        <NumberInput
          name="At most"
          unit="min"
          hint="then it goes on with what there is"
          min={1}
          max={MAX_MINUTES}
          step={1}
          value={minutes}
          onChange={(value) => value !== null && setMinutes(value)}
        />
        <NumberInput
          name="Places"
          unit=""
          hint={`enough after so many; ${MIN_PLACES} are needed`}
          min={MIN_PLACES}
          max={MAX_PLACES}
          step={10}
          value={places}
          onChange={(value) => value !== null && setPlaces(value)}
        />
      </div>
      <div>
        <Button type="submit" kind="main" disabled={state.state === 'pending' || state.state === 'applied'}>
          Start a survey
        </Button>
      </div>
      {state.state === 'refused' && <WriteNote state={state} />}
    </form>
  )
}

const Progress = ({ job: { id, progress, state }, mayWrite }: { readonly job: Job; readonly mayWrite: boolean }) => {
  const { state: written, write } = useWrite()
  const cancel = () => write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))
  return (
    <div className="stack">
      <p role="status">
        {progress.message ||
          (state === 'queued' ? 'Waits for other work.' : 'Drive now. No place is seen well enough yet.')}
      </p>
      <progress aria-label="The survey" max={100} {...(progress.percent !== null && { value: progress.percent })} />
      {mayWrite && (
        <div>
          <Button onClick={() => void cancel()}>Cancel the survey</Button>
        </div>
      )}
      {written.state === 'refused' && <WriteNote state={written} />}
    </div>
  )
}
