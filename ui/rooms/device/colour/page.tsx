// Colour: what is in force for each camera, the chart, and a matrix from a picture of it.
import { Card, ProblemNote } from '../../../parts/parts.tsx'
import { ipa } from '../../../state/colour.ts'
import { useKnown } from '../../../state/live.ts'
import { ChartCard } from './chart-card.tsx'
import { FileCard } from './file-card.tsx'
import { CameraList } from './matrices.tsx'
import { SolveCard } from './solve-card.tsx'

/** The page. */
const ColourPage = () => {
  const { value, problem } = useKnown(ipa)
  const { cameras = [], files = [], last_change = null } = value ?? {}
  return (
    <>
      <div className="page-head">
        <h1>Colour</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      <div className="device-page">
        <div className="stack">
          <SolveCard files={files} />
        </div>
        <div className="stack">
          <Card title="In force now">{value && <CameraList cameras={cameras} files={files} last={last_change} />}</Card>
          <ChartCard />
          {files.length > 0 && <FileCard files={files} />}
        </div>
      </div>
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default ColourPage
