// What was found out of a lens, whether it is kept or not: the verdict first, then by how much points may be off, then
// the pictures, and the figures of the lens folded away.
import type { ReactNode } from 'react'
import type { Calibration, FoundCalibration } from '../../state/calibrations.ts'
import { BoardCard } from './board-card.tsx'
import { ErrorMapCard } from './error-map-card.tsx'
import { LensCard } from './lens-card.tsx'
import { LensChecks } from './lens-check.tsx'
import { PicturesCard } from './pictures-card.tsx'
import { Verdict } from './verdict.tsx'

interface FoundProps {
  readonly calibration: FoundCalibration
  /** What speaks against it by now. */
  readonly since?: Calibration['reasons']
  /** The streams on which it is in force. */
  readonly inForceOn?: readonly string[]
  /** Of the capture that its pictures are of. */
  readonly captureId?: string | undefined
  /** Beside the verdict: what to do with it. */
  readonly next?: ReactNode
}

/** All of it. */
export const Found = ({ calibration, since = [], inForceOn = [], captureId, next }: FoundProps) => (
  <>
    <Verdict calibration={calibration} since={since} />
    {next}
    <div className="calibration-found">
      <ErrorMapCard calibration={calibration} inForceOn={inForceOn} />
      <div className="stack">
        <BoardCard calibration={calibration} />
        <LensChecks streams={inForceOn} />
        <LensCard calibration={calibration} />
      </div>
    </div>
    {calibration.pictures.length > 0 && <PicturesCard calibration={calibration} captureId={captureId} />}
  </>
)
