// One calibration that is kept.
import { Link, useLocation } from 'wouter'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { calibrations, forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown } from '../../state/live.ts'
import { Actions } from './actions.tsx'
import { Found } from './found.tsx'
import { VerdictPill } from './verdict.tsx'

const BackToAll = () => <BackLink href="/calibration" name="All calibrations" />

const Shown = ({ kept }: { readonly kept: KeptCalibration }) => {
  const { spec, status } = kept
  const [, go] = useLocation()
  return (
    <>
      <div className="page-head">
        <BackToAll />
        <h1>{spec.name}</h1>
        <VerdictPill verdict={spec.verdict} />
        {status.in_force_on.length > 0 && <Pill tone="good">in force on {status.in_force_on.join(', ')}</Pill>}
        <div className="right">
          <Actions kept={kept} onDeleted={() => go('/calibration')} />
        </div>
      </div>
      <Found calibration={spec} since={status.reasons} inForceOn={status.in_force_on} />
    </>
  )
}

/** Its page. */
export const CalibrationPage = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(calibrations)
  const { ids } = useForgotten(forgottenCalibrations)
  const kept = ids.includes(id) ? undefined : value?.find((each) => each.id === id)
  if (kept) return <Shown kept={kept} />
  return (
    <>
      <h1 className="only-read-aloud">Calibration {id}</h1>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <Card>
          <Empty action={<Link href="/calibration">See all calibrations</Link>}>
            There is no calibration {id} (any more).
          </Empty>
        </Card>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
