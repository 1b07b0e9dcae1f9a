// What can be done with a calibration that is kept.
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/parts.tsx'
import { forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'

interface ActionsProps {
  readonly kept: KeptCalibration
  /** Called when it has been deleted. */
  readonly onDeleted?: () => void
}

/** Its buttons. */
export const Actions = ({ kept, onDeleted }: ActionsProps) => {
  const { id, spec, status } = kept
  const [open, setOpen] = useState<'apply' | 'export'>()
  const isInForce = status.in_force_on.length > 0
  return (
    <div className="row">
      {spec.verdict !== 'refused' && (
        <Button aria-label={`Put in force: ${spec.name}`} onClick={() => setOpen('apply')}>
          Put in force
        </Button>
      )}
      <Button
        kind="plain"
        icon={<Download size={18} aria-hidden />}
        aria-label={`Export ${spec.name}`}
        onClick={() => setOpen('export')}
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
      {open === 'apply' && <ApplyDialog kept={kept} onClose={() => setOpen(undefined)} />}
      {open === 'export' && <ExportDialog kept={kept} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
