// What should be corrected of map and rig, as a drive over the field finds it.
import { Trash2 } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { Button, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { forgottenSurveys, type Survey, surveys } from '../../state/surveys.ts'
import { momentOf, wrongOf } from './correction-words.ts'
import { ProposalCard } from './proposal-card.tsx'
import { SurveyCard } from './survey-card.tsx'

/** The page. */
export const CorrectionsPage = () => {
  const [query, setQuery] = useSearchParams()
  const { value, problem } = useKnown(surveys)
  const forgotten = useForgotten(forgottenSurveys)
  const mayWrite = useKnownOf(session, (known) => known.value?.may.includes('operate') ?? false)
  const shown = value?.filter(({ id }) => !forgotten.ids.includes(id)).toReversed()
  const chosen = shown?.find(({ id }) => id === query.get('survey')) ?? shown?.[0]
  const trouble = problem ?? forgotten.problem
  return (
    <>
      <h1>Corrections</h1>
      {trouble && <ProblemNote problem={trouble} />}
      <div className="field-maps">
        <div className="stack">
          <SurveyCard mayWrite={mayWrite} />
          <Card title="Surveys">
            {shown?.length === 0 && <Empty>No survey yet. Start one, and drive over the field.</Empty>}
            <fieldset>
              <legend className="only-read-aloud">Survey that is looked at</legend>
              <ul className="list">
                {shown?.map((survey) => (
                  <Row
                    key={survey.id}
                    survey={survey}
                    isChosen={survey.id === chosen?.id}
                    mayWrite={mayWrite}
                    onChoose={() => setQuery({ survey: survey.id })}
                  />
                ))}
              </ul>
            </fieldset>
          </Card>
        </div>
        {chosen && <ProposalCard key={chosen.id} survey={chosen} mayWrite={mayWrite} />}
      </div>
    </>
  )
}

interface RowProps {
  readonly survey: Survey
  readonly isChosen: boolean
  readonly mayWrite: boolean
  readonly onChoose: () => void
}

const Row = ({ survey, isChosen, mayWrite, onChoose }: RowProps) => {
  const { id, spec, status } = survey
  const isWrong = status.wrong_tags + status.wrong_cameras > 0
  return (
    <li className="field-survey">
      <label className="grow row">
        <input type="radio" name="survey" checked={isChosen} onChange={onChoose} />
        <span className="grow">
          <strong>{momentOf(survey)}</strong>
          <span className="hint field-map-size">by the map {spec.proposal.map.id}</span>
        </span>
      </label>
      <Pill tone={isWrong ? 'bad' : 'good'}>{wrongOf(survey)}</Pill>
      {spec.accepted && <Pill tone="good">accepted</Pill>}
      {mayWrite && (
        <Button
          kind="plain"
          icon={<Trash2 size={18} aria-hidden />}
          aria-label={`Delete the survey of ${momentOf(survey)}`}
          onClick={() => forgottenSurveys.forget(id, `The survey of ${momentOf(survey)} is deleted`)}
        />
      )}
    </li>
  )
}
