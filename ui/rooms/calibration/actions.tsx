// What can be done with a calibration that is kept.
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/parts.tsx'
import { forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { ExportDialog } from './export-dialog.tsx'

interface ActionsProps {
  readonly kept: KeptCalibration
  /** Called when it has been deleted. */
  readonly onDeleted?: () => void
}

/** Its buttons. */
export const Actions = ({ kept, onDeleted }: ActionsProps) => {
  const { id, spec, status } = kept
  const [isExporting, setExporting] = useState(false)
  const isInForce = status.in_force_on.length > 0
  return (
    <div className="row">
      <Button
        kind="plain"
        icon={<Download size={18} aria-hidden />}
        aria-label={`Export ${spec.name}`}
        onClick={() => setExporting(true)}
      />
      <Button
        kind="plain"
        icon={<Trash2 size={18} aria-hidden />}
        aria-label={`Delete ${spec.name}`}
        title={isInForce ? 'The stream keeps its lens; nobody knows any more where it came from.' : undefined}
        onClick={() => {
          forgottenCalibrations.forget(id, `Deleted ${spec.name}`)
          onDeleted?.()
        }}
      />
      {isExporting && <ExportDialog kept={kept} onClose={() => setExporting(false)} />}
    </div>
  )
}
