// Another version of the service: sent, checked, applied, tried, and kept or given up.
import { Alert, ProblemNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { update } from '../../state/update.ts'
import { ChooseBundle } from './choose-bundle.tsx'
import { PresentStep } from './present-step.tsx'
import { Reasons, Versions } from './versions.tsx'

const UpdatePage = () => {
  const { value, problem } = useKnown(update)
  return (
    <>
      <div className="page-head">
        <h1>Update</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <div className="update-page">
          <div className="stack">
            {value.can_update ? (
              <PresentStep known={value} />
            ) : (
              <Alert tone="quiet">
                <span className="update-sentence">{value.detail}</span>
              </Alert>
            )}
            {value.can_update && <ChooseBundle known={value} />}
            <Reasons known={value} />
          </div>
          <Versions known={value} />
        </div>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default UpdatePage
