// The robot from one side with its cameras as they are set, and as they sit.
import { useMemo } from 'react'
import type { Documents } from '../api/client.ts'
import { type Correction, enlarge } from './corrections.ts'
import { pointsOf } from './field-plan.ts'
import { useWidth } from './field-width.ts'
import { boxOnPlan, drawnSize, planOfRobot, type RobotPlan, type RobotSide, toPixel } from './robot-plan.ts'
import { frustumOf, outlineOf, type ViewLimits } from './scene-frustum.ts'
import { type AnglePose, fromAngles } from './scene-pose.ts'

/** A camera that sits otherwise. */
export interface CameraCorrection extends Correction {
  /** Of its stream. */
  readonly id: string
  readonly name: string
  readonly isWrong: boolean
  readonly limits: ViewLimits
}

/** What is drawn. */
export interface CameraCorrectionsProps {
  readonly side: RobotSide
  readonly robot: Documents['RobotDimensions'] | undefined
  readonly cameras: readonly CameraCorrection[]
  /** How many times larger than it is each is drawn. */
  readonly times: number
  /** All of it, for those who do not see it. */
  readonly label: string
}

const FIRST_WIDTH_PX = 280
const VIEW_M = 0.22 // how far the view of a camera is drawn

/** Dashed: as it is set. In colour: as it sits. */
export const CameraCorrections = ({ side, robot, cameras, times, label }: CameraCorrectionsProps) => {
  const [ref, width_px] = useWidth<SVGSVGElement>(FIRST_WIDTH_PX)
  const size = useMemo(() => drawnSize(robot), [robot])
  const places = cameras.map(({ before }) => [before.x_m, before.y_m, before.z_m] as const)
  const plan = planOfRobot(side, size, places, width_px)
  const { x, y, width, height } = boxOnPlan(plan, size)
  return (
    <svg
      ref={ref}
      className="field-robot-view"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${plan.width_px} ${plan.height_px}`}
      style={{ aspectRatio: `${plan.width_px} / ${plan.height_px}` }}
    >
      <rect className="field-robot-body" x={x} y={y} width={width} height={height} rx={4} />
      {side === 'above' && <line className="field-robot-front" x1={x} x2={x + width} y1={y} y2={y} />}
      {side === 'side' && <line className="field-robot-front" x1={x + width} x2={x + width} y1={y} y2={y + height} />}
      {cameras.map((camera) => (
        <Camera key={camera.id} plan={plan} camera={camera} times={times} />
      ))}
    </svg>
  )
}

interface CameraProps extends Pick<CameraCorrectionsProps, 'times'> {
  readonly plan: RobotPlan
  readonly camera: CameraCorrection
}

const Camera = ({ plan, camera, times }: CameraProps) => {
  const { name, isWrong, limits, before } = camera
  const viewOf = (pose: AnglePose): string =>
    pointsOf(outlineOf(frustumOf(fromAngles(pose), limits, VIEW_M).map((point) => toPixel(plan, point))))
  const [x, y] = toPixel(plan, [before.x_m, before.y_m, before.z_m])
  return (
    <g data-tone={isWrong ? 'bad' : 'good'}>
      <polygon className="field-camera-before" points={viewOf(before)} />
      <polygon className="field-camera-after" points={viewOf(enlarge(camera, times))} />
      <text className="field-name" x={x} y={y + 14}>
        {name}
      </text>
    </g>
  )
}
