// By how much points may be seen off, over the picture: that of the stream, where it is the same mode.
import { useState } from 'react'
import { ErrorLegend, ErrorMap } from '../../drawing/error-map.tsx'
import { Card, Empty, Figure, Figures } from '../../parts/parts.tsx'
import { LivePicture } from '../../pictures/live-picture.tsx'
import type { FoundCalibration } from '../../state/calibrations.ts'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { percentOf, sizeIn } from './words.ts'

const PICTURES_PER_S = 5

/** The stream whose picture lies below: one on which it is in force, or for which it was made. */
const streamBelow = (
  all: readonly Stream[],
  { stream_id, width_px, height_px }: FoundCalibration,
  inForceOn: readonly string[],
): Stream | undefined => {
  const wanted = [...inForceOn, stream_id]
  return all
    .filter(
      ({ status: { state, ...size } }) =>
        state === 'live' && size.width_px === width_px && size.height_px === height_px,
    )
    .find(({ id }) => wanted.includes(id))
}

interface CardProps {
  readonly calibration: FoundCalibration
  readonly inForceOn: readonly string[]
}

/** With its legend, and what it comes to. */
export const ErrorMapCard = ({ calibration, inForceOn }: CardProps) => {
  const stream = streamBelow(useOwnStreams() ?? [], calibration, inForceOn)
  const [isDrawn, setDrawn] = useState(true)
  const { map, width_px, height_px, rms_px } = calibration
  if (!map)
    return (
      <Card title="By how much points may be off">
        <Empty>
          Nobody can tell: its file has the lens alone, without what the pictures said. To know it, calibrate the camera
          here.
        </Empty>
      </Card>
    )
  const label = `Predicted error: ${figureOf(map.mean_px, 1)} px in the mean, ${figureOf(map.max_px, 1)} px at most`
  return (
    <Card title="By how much points may be off" side={<span className="hint">{sizeIn(calibration)}</span>}>
      <div className="calibration-stage" style={{ aspectRatio: `${width_px} / ${height_px}` }}>
        {stream && <LivePicture stream={stream} fps={PICTURES_PER_S} outputs={[]} />}
        {isDrawn && <ErrorMap places={map} widthPx={width_px} label={label} />}
      </div>
      <div className="card-body stack">
        <div className="row">
          <ErrorLegend widthPx={width_px} />
          <span className="grow" />
          {stream ? (
            <label className="row">
              <input type="checkbox" checked={isDrawn} onChange={({ target }) => setDrawn(target.checked)} />
              Drawn over {stream.spec.alias}
            </label>
          ) : (
            <span className="hint">No stream of this mode gives pictures now.</span>
          )}
        </div>
        <Figures>
          <Figure
            name="in the mean"
            value={map.mean_px}
            digits={2}
            unit="px"
            size="large"
            under={`${percentOf(map.mean_px === null ? null : map.mean_px / width_px, 3)} of the width`}
          />
          <Figure name="at most" value={map.max_px} digits={2} unit="px" size="large" />
          <Figure name="corners fit to" value={rms_px} digits={2} unit="px" under="says little by itself" />
        </Figures>
      </div>
    </Card>
  )
}
