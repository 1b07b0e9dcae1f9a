// The mode in which the camera of a stream gives pictures, and what each mode is worth on this device.
import { Gauge } from 'lucide-react'
import { Button, Empty, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { cameras } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { type Bench, measureModes, useBench } from './bench.ts'
import { describeMode } from './describe.ts'
import { isSameMode, type Mode, type RankedMode, rankModes } from './modes.ts'
import type { StreamTarget } from './target.ts'

interface ModeProps {
  readonly stream: Stream
  readonly target: StreamTarget
}

const Row = ({ mode, isNow, onUse }: { mode: RankedMode; isNow: boolean; onUse: () => void }) => {
  const { width_px, height_px, fps, pixel_format, measured } = mode
  return (
    <tr aria-current={isNow || undefined}>
      <th scope="row">
        {width_px}×{height_px}
        <div className="under">
          {pixel_format}, {figureOf(fps)} fps
        </div>
      </th>
      <td>
        {measured === undefined ? '–' : measured.fault ? 'no pictures' : figureOf(measured.measured_fps, 1)}
        {measured && !measured.keeps_rate && !measured.fault && <div className="under">too slow</div>}
      </td>
      <td>
        {figureOf(measured?.cpu_percent)}
        {measured?.cpu_percent != null && <span className="unit">%</span>}
      </td>
      <td>{figureOf(measured?.bandwidth_mbit_s)}</td>
      <td>
        {isNow ? (
          <strong>in use</strong>
        ) : (
          <Button onClick={onUse} aria-label={`Use ${width_px}×${height_px} ${pixel_format} at ${fps} fps`}>
            Use
          </Button>
        )}
      </td>
    </tr>
  )
}

const Measuring = ({ bench, onMeasure }: { readonly bench: Bench; readonly onMeasure: () => void }) => {
  const { job, problem, isBusy, ranking } = bench
  return (
    <div className="stack">
      <div className="row">
        <Button icon={<Gauge size={16} aria-hidden />} disabled={isBusy} onClick={onMeasure}>
          {ranking.length > 0 ? 'Measure again' : 'Measure the modes'}
        </Button>
        <span className="hint">The stream pauses for it, and goes on by itself afterwards.</span>
      </div>
      {isBusy && (
        <p className="hint" role="status">
          {job ? 'Measuring: how far it is stands at the foot of the page.' : 'Ordering it'}
        </p>
      )}
      {problem && <ProblemNote title="It was not measured." problem={problem} />}
    </div>
  )
}

const CameraModes = ({ stream, target, uid }: ModeProps & { readonly uid: string }) => {
  const camera = useKnownOf(cameras, ({ value }) => value?.find(({ camera_uid }) => camera_uid === uid))
  const { state, write } = useWrite({ target: target.device, heeds: target.heeds })
  const bench = useBench(uid)
  const { source } = stream.spec
  const modes = rankModes(camera?.modes ?? [], bench.ranking)
  const use = ({ pixel_format, width_px, height_px, fps }: Mode) =>
    void write(() => target.change({ source: { pixel_format, width_px, height_px, fps } }))
  if (camera && !camera.present)
    return <Empty>The camera {camera.name} is not plugged in. Plug it in, and its modes show here.</Empty>
  return (
    <div className="stack">
      <Measuring bench={bench} onMeasure={() => void measureModes(uid)} />
      <WriteNote state={state} />
      {bench.ranking.length > 0 && (
        <p className="hint">The best first: they keep their rate and leave most of a core to the vision.</p>
      )}
      <div className="scroll-x">
        <table className="streams-modes">
          <thead>
            <tr>
              <th scope="col">Mode</th>
              <th scope="col">Measured fps</th>
              <th scope="col">Of a core</th>
              <th scope="col">Mbit/s</th>
              <th scope="col">
                <span className="only-read-aloud">Choice</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {modes.map((mode) => (
              <Row
                key={`${mode.pixel_format} ${mode.width_px} ${mode.height_px} ${mode.fps}`}
                mode={mode}
                isNow={source.backend === 'v4l2' && isSameMode(source, mode)}
                onUse={() => use(mode)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Which mode, and which there are. */
export const ModeTab = (props: ModeProps) => {
  const { stream } = props
  const { source } = stream.spec
  return (
    <div className="stack">
      <p>
        Now <strong>{describeMode(stream)}</strong>
        {stream.status.pixel_format && <span className="hint">, {stream.status.pixel_format}</span>}
      </p>
      {source.backend === 'v4l2' ? (
        <CameraModes {...props} uid={source.camera_uid} />
      ) : (
        <p className="hint">Only a camera that is plugged in has modes to choose from.</p>
      )}
    </div>
  )
}
