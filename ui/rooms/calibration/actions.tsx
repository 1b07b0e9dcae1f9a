// What can be done with a calibration that is kept.
import { Trash2 } from 'lucide-react'
import { Button } from '../../parts/parts.tsx'
import { forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'

interface ActionsProps {
  readonly kept: KeptCalibration
  /** Called when it has been deleted. */
  readonly onDeleted?: () => void
}

/** Its buttons. */
export const Actions = ({ kept: { id, spec, status }, onDeleted }: ActionsProps) => (
  <div className="row">
    <Button
      kind="plain"
      icon={<Trash2 size={18} aria-hidden />}
      aria-label={`Delete ${spec.name}`}
      title={
        status.in_force_on.length > 0
          ? 'The stream keeps its lens; nobody knows any more where it came from.'
          : undefined
      }
      onClick={() => {
        forgottenCalibrations.forget(id, `Deleted ${spec.name}`)
        onDeleted?.()
      }}
    />
  </div>
)
