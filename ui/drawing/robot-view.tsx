// The robot from one side with its cameras, which are moved and turned by pointer and by keys.
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import type { Documents } from '../api/client.ts'
import { figureOf } from '../words.ts'
import { useWidth } from './field-width.ts'
import {
  boxOnPlan,
  drawnSize,
  handleOf,
  moveBy,
  moveTo,
  type Pixel,
  planOfRobot,
  type RobotPlan,
  type RobotSide,
  TURNED,
  toPixel,
  turnBy,
  turnTo,
} from './robot-plan.ts'
import { frustumOf, outlineOf, type ViewLimits } from './scene-frustum.ts'
import { type AnglePose, fromAngles } from './scene-pose.ts'

/** A camera on the robot. */
export interface RobotCamera {
  readonly key: string
  /** With whose it is, when it is another device's. */
  readonly name: string
  readonly tone: 'good' | 'peer'
  /** As it is set, or as somebody is about to set it. */
  readonly pose: AnglePose
  readonly limits: ViewLimits
}

/** What is drawn. */
export interface RobotViewProps {
  readonly side: RobotSide
  readonly robot: Documents['RobotDimensions'] | undefined
  readonly cameras: readonly RobotCamera[]
  /** The key of the one that is moved. */
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  /** undefined: nobody may move them. */
  readonly onMove?: ((pose: AnglePose) => void) | undefined
}

const FIRST_WIDTH_PX = 400
const HANDLE_PX = 46
const VIEW_M = 0.3 // how far the view of a camera is drawn
const STEP_M = 0.01
const STEP_DEG = 1
const COARSE = 10 // times, with Shift

const NAMES: Readonly<Record<RobotSide, string>> = {
  above: 'The robot from above, its front up.',
  side: 'The robot from its right, its front to the right.',
  front: 'The robot from the front, its left to the right.',
}

const LABELS: Readonly<Record<RobotSide, string>> = { above: 'front', side: 'front →', front: 'its left →' }

/** The robot from one side. */
export const RobotView = ({ side, robot, cameras, chosen, onChoose, onMove }: RobotViewProps) => {
  const [ref, width] = useWidth<SVGSVGElement>(FIRST_WIDTH_PX)
  const size = useMemo(() => drawnSize(robot), [robot])
  // While something is dragged the picture stays as it lies.
  const [held, setHeld] = useState<RobotPlan>()
  const fitted = useMemo(
    () =>
      planOfRobot(
        side,
        size,
        cameras.map(({ pose }) => [pose.x_m, pose.y_m, pose.z_m]),
        width,
      ),
    [side, size, cameras, width],
  )
  const plan = held ?? fitted
  const { origin, height_px } = plan
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no group but this in SVG
    <svg
      ref={ref}
      className="rig-view"
      role="group"
      aria-label={NAMES[side]}
      viewBox={`0 0 ${plan.width_px} ${height_px}`}
      style={{ aspectRatio: `${plan.width_px} / ${height_px}` }}
    >
      {side !== 'above' && <line className="rig-floor" x1={0} x2={plan.width_px} y1={origin[1]} y2={origin[1]} />}
      <rect className="rig-body" {...boxOnPlan(plan, size)} rx={4} />
      <Front plan={plan} size={size} />
      <circle className="rig-origin" cx={origin[0]} cy={origin[1]} r={3} />
      {cameras.map((camera) => (
        <Camera
          key={camera.key}
          plan={plan}
          camera={camera}
          isChosen={camera.key === chosen}
          onChoose={() => onChoose(camera.key)}
          onMove={camera.key === chosen ? onMove : undefined}
          onHold={(isHeld) => setHeld(isHeld ? plan : undefined)}
        />
      ))}
    </svg>
  )
}

/** Where the front is. */
const Front = ({ plan, size }: { readonly plan: RobotPlan; readonly size: ReturnType<typeof drawnSize> }) => {
  const { x, y, width, height } = boxOnPlan(plan, size)
  const at: Pixel = {
    above: [x + 24, y + 14] as const,
    side: [x + width - 24, y + height - 12] as const,
    front: [x + width - 26, y + height - 12] as const,
  }[plan.side]
  return (
    <>
      {plan.side === 'above' && <line className="rig-front" x1={x} x2={x + width} y1={y} y2={y} />}
      {plan.side === 'side' && <line className="rig-front" x1={x + width} x2={x + width} y1={y} y2={y + height} />}
      <text className="rig-text" x={at[0]} y={at[1]}>
        {LABELS[plan.side]}
      </text>
    </>
  )
}

interface CameraProps {
  readonly plan: RobotPlan
  readonly camera: RobotCamera
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onMove: ((pose: AnglePose) => void) | undefined
  readonly onHold: (isHeld: boolean) => void
}

const ANGLES = { yaw_deg: 'yaw', pitch_deg: 'pitch', roll_deg: 'roll' } as const

const Camera = ({ plan, camera, isChosen, onChoose, onMove, onHold }: CameraProps) => {
  const { name, tone, pose, limits } = camera
  const at = toPixel(plan, [pose.x_m, pose.y_m, pose.z_m])
  const view = outlineOf(frustumOf(fromAngles(pose), limits, VIEW_M).map((point) => toPixel(plan, point)))
  const [right, down] = handleOf(plan.side, pose)
  const handle: Pixel = [at[0] + right * HANDLE_PX, at[1] + down * HANDLE_PX]
  const angle = TURNED[plan.side]
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') onChoose()
    const way = WAYS[event.key]
    if (!way || !onMove) return
    event.preventDefault()
    const step = STEP_M * (event.shiftKey ? COARSE : 1)
    onMove(moveBy(plan.side, pose, way[0] * step, way[1] * step))
  }
  const onTurnKey = (event: KeyboardEvent) => {
    const way = WAYS[event.key]
    if (!way || !onMove) return
    event.preventDefault()
    onMove(turnBy(plan.side, pose, (way[1] - way[0]) * STEP_DEG * (event.shiftKey ? COARSE : 1)))
  }
  return (
    <g className="rig-camera" data-tone={tone} data-chosen={isChosen}>
      <polygon className="rig-frustum" points={view.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {isChosen && onMove && (
        <>
          <line className="rig-arm" x1={at[0]} y1={at[1]} x2={handle[0]} y2={handle[1]} />
          <Grip
            at={handle}
            radius={7}
            className="rig-handle"
            label={`Turn ${name}: ${ANGLES[angle]} ${figureOf(pose[angle])} degrees`}
            onDrag={(to) => onMove(turnTo(plan, pose, to))}
            onHold={onHold}
            onKeyDown={onTurnKey}
          />
        </>
      )}
      <Grip
        at={at}
        radius={10}
        className="rig-mark"
        label={`${isChosen && onMove ? 'Move' : 'Choose'} ${name}`}
        onPress={onChoose}
        onDrag={onMove && ((to) => onMove(moveTo(plan, pose, to)))}
        onHold={onHold}
        onKeyDown={onKey}
      />
      <text className="rig-text rig-name" x={at[0]} y={at[1] + 24}>
        {name}
      </text>
    </g>
  )
}

/** To the right and up. */
const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

interface GripProps {
  readonly at: Pixel
  readonly radius: number
  readonly className: string
  readonly label: string
  readonly onPress?: () => void
  readonly onDrag?: ((to: Pixel) => void) | undefined
  readonly onHold: (isHeld: boolean) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** What can be dragged, by any pointer: it stays where it was taken hold of. */
const Grip = ({ at, radius, className, label, onPress, onDrag, onHold, onKeyDown }: GripProps) => {
  const grip = useRef<Pixel>(undefined) // from the middle to where it is held
  const placeOf = ({ currentTarget, clientX, clientY }: PointerEvent<SVGCircleElement>): Pixel => {
    const svg = currentTarget.ownerSVGElement
    const box = svg?.getBoundingClientRect()
    if (!svg || !box) return [0, 0]
    const scale = svg.viewBox.baseVal.width / box.width
    return [(clientX - box.left) * scale, (clientY - box.top) * scale]
  }
  const onPointerDown = (event: PointerEvent<SVGCircleElement>) => {
    onPress?.()
    if (!onDrag) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const [x, y] = placeOf(event)
    grip.current = [x - at[0], y - at[1]]
    onHold(true)
  }
  const onPointerMove = (event: PointerEvent<SVGCircleElement>) => {
    if (!grip.current) return
    const [x, y] = placeOf(event)
    onDrag?.([x - grip.current[0], y - grip.current[1]])
  }
  const end = () => {
    if (!grip.current) return
    grip.current = undefined
    onHold(false)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button in SVG
    <circle
      className={className}
      cx={at[0]}
      cy={at[1]}
      r={radius}
      role="button"
      tabIndex={0}
      aria-label={label}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKeyDown}
    />
  )
}
