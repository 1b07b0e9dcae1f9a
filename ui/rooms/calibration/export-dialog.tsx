// A calibration as a file for another program: the format is chosen; one that has no room for the lens says why.
import { Button, Dialog, ProblemNote } from '../../parts/parts.tsx'
import { type CalibrationFormat, exportCalibration, keepFile } from '../../state/calibration-files.ts'
import type { KeptCalibration } from '../../state/calibrations.ts'
import { useWrite } from '../../state/write.ts'
import { FORMATS } from './words.ts'

interface DialogProps {
  readonly kept: KeptCalibration
  readonly onClose: () => void
}

/** The dialog. */
export const ExportDialog = ({ kept: { id, spec }, onClose }: DialogProps) => {
  const { state, write } = useWrite()
  const save = async (format: CalibrationFormat) => {
    const answer = await write(() => exportCalibration(id, format))
    if (answer.ok) keepFile(answer.value)
  }
  return (
    <Dialog title={`Export ${spec.name}`} onClose={onClose}>
      <p>Only that of Vedette has all that is known of it; the others have the lens.</p>
      <ul className="calibration-formats" aria-label="Formats">
        {(Object.keys(FORMATS) as CalibrationFormat[]).map((format) => (
          <li key={format}>
            <Button disabled={state.state === 'pending'} onClick={() => void save(format)}>
              {FORMATS[format]}
            </Button>
          </li>
        ))}
      </ul>
      {state.state === 'refused' && <ProblemNote problem={state.problem} title="No such file can be made." />}
      <div className="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
