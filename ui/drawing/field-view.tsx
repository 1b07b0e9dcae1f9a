// The field from above, with the robot as streams see it.
import { memo, type ReactNode, useId, useMemo } from 'react'
import type { Documents } from '../api/client.ts'
import { figureOf } from '../words.ts'
import {
  arrowOfRobot,
  cornersOfRobot,
  ellipseOf,
  type FieldPlan,
  MARGIN_PX,
  markOfTag,
  outlineOfView,
  type Pixel,
  placeNumbers,
  planOf,
  pointsOf,
} from './field-plan.ts'
import type { FieldRay, FieldRobot } from './field-robot.ts'
import { keyOfTag, type MapTag, tagsOfMap } from './field-tags.ts'
import { useWidth } from './field-width.ts'
import { describeField } from './field-words.ts'

/** Whose size nobody has said is drawn as large as most are. */
const USUAL_ROBOT_M = 0.75
const MIN_ROBOT_PX = 14
const MIN_ELLIPSE_PX = 1.5 // a smaller one lies within the stroke of the mark
const FIRST_WIDTH_PX = 640

/** What is drawn. */
export interface FieldViewProps {
  readonly map: Documents['FieldMap']
  readonly robots: readonly FieldRobot[]
  /** From each camera to the tags that it sees. */
  readonly lines?: boolean
  /** What each camera has in view. */
  readonly frusta?: boolean
  /** Where the robot was. */
  readonly trail?: boolean
  /** Three standard deviations around the robot. */
  readonly ellipse?: boolean
  /** Where the robot really is; of synthetic cameras alone. */
  readonly truth?: boolean
  /** small: numbers stand at those tags alone that are seen. */
  readonly size?: 'small' | 'large'
  /** In place of the words for the robots, for those who do not see it. */
  readonly label?: string
  /** What is drawn over all of it. */
  readonly children?: (plan: FieldPlan) => ReactNode
}

/** The field from above, as wide as its place. It is drawn again when something of it has changed. */
export const FieldView = ({
  map,
  robots,
  lines = true,
  frusta = true,
  trail = true,
  ellipse = true,
  truth = true,
  size = 'small',
  label,
  children,
}: FieldViewProps) => {
  const [ref, width] = useWidth<SVGSVGElement>(FIRST_WIDTH_PX)
  const plan = useMemo(() => planOf(map, width), [map, width])
  const clip = useId()
  const seen = new Map([
    ...robots.flatMap(({ rays = [] }) => rays.map(({ tag }) => [keyOfTag(tag), 'bad'] as const)), // unless one is used
    ...robots.flatMap(({ seen = [], tone = 'good' }) => seen.map((tag) => [keyOfTag(tag), tone] as const)),
  ])
  return (
    <svg
      ref={ref}
      className="field-view"
      role="img"
      aria-label={label ?? describeField(map, robots)}
      viewBox={`0 0 ${plan.width_px} ${plan.height_px.toFixed(1)}`}
      style={{ aspectRatio: `${plan.width_px} / ${plan.height_px}` }}
    >
      <clipPath id={clip}>
        <rect {...insideOf(plan)} />
      </clipPath>
      <Ground plan={plan} map={map} />
      {robots.map((robot) => (
        <g key={robot.id} data-tone={robot.tone ?? 'good'} className={robot.isOld ? 'is-old' : undefined}>
          <g clipPath={`url(#${clip})`}>
            {frusta && robot.camera && (
              <polygon
                className="field-frustum"
                points={pointsOf(outlineOfView(plan, robot.camera.pose, robot.camera.limits))}
              />
            )}
            {trail && robot.trail && robot.trail.length > 1 && (
              <polyline className="field-trail" points={pointsOf(robot.trail.map(([x, y]) => plan.toPixel(x, y)))} />
            )}
          </g>
          {lines && <Lines plan={plan} map={map} robot={robot} hasFigures={size === 'large'} />}
        </g>
      ))}
      <Tags plan={plan} map={map} seen={seen} hasAllNumbers={size === 'large'} />
      {robots.map((robot) => (
        <Robot
          key={robot.id}
          plan={plan}
          robot={robot}
          hasEllipse={ellipse}
          hasTruth={truth}
          hasName={robots.length > 1}
        />
      ))}
      {children?.(plan)}
    </svg>
  )
}

const insideOf = ({ width_px, height_px }: FieldPlan) => ({
  x: MARGIN_PX,
  y: MARGIN_PX,
  width: Math.max(0, width_px - 2 * MARGIN_PX),
  height: Math.max(0, height_px - 2 * MARGIN_PX),
})

const STEP_M = 2 // between the lines of the ground

const stepsTo = (end_m: number): readonly number[] =>
  Array.from({ length: Math.ceil(end_m / STEP_M) - 1 }, (_, n) => (n + 1) * STEP_M)

interface GroundProps {
  readonly plan: FieldPlan
  readonly map: Documents['FieldMap']
}

/** What never moves. */
const Ground = memo(({ plan, map: { length_m, width_m } }: GroundProps) => {
  const { x, y, width, height } = insideOf(plan)
  const [middle] = plan.toPixel(length_m / 2, 0)
  const across = stepsTo(length_m).map((at) => plan.toPixel(at, 0)[0])
  const along = stepsTo(width_m).map((at) => plan.toPixel(0, at)[1])
  return (
    <>
      <rect className="field-ground" x={x} y={y} width={width} height={height} />
      {across.map((at) => (
        <line key={`x${at}`} className="field-step" x1={at} x2={at} y1={y} y2={y + height} />
      ))}
      {along.map((at) => (
        <line key={`y${at}`} className="field-step" x1={x} x2={x + width} y1={at} y2={at} />
      ))}
      <line className="field-middle" x1={middle} x2={middle} y1={y} y2={y + height} />
      <line className="field-wall" data-side="blue" x1={x - 6} x2={x - 6} y1={y - 2} y2={y + height + 2} />
      <line
        className="field-wall"
        data-side="red"
        x1={x + width + 6}
        x2={x + width + 6}
        y1={y - 2}
        y2={y + height + 2}
      />
    </>
  )
})

interface TagsProps extends GroundProps {
  readonly seen: ReadonlyMap<string, string>
  readonly hasAllNumbers: boolean
}

const Tags = ({ plan, map, seen, hasAllNumbers }: TagsProps) => {
  const tags = useMemo(() => tagsOfMap(map), [map])
  const numbered = hasAllNumbers ? tags : tags.filter(({ key }) => seen.has(key))
  const keys = numbered.map(({ key }) => key).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which tags are numbered
  const numbers = useMemo(() => placeNumbers(plan, numbered), [plan, map, keys])
  return tags.map((tag) => (
    <Tag key={tag.key} plan={plan} tag={tag} tone={seen.get(tag.key)} number={numbers.get(tag.key)} />
  ))
}

interface TagProps {
  readonly plan: FieldPlan
  readonly tag: MapTag
  /** Of who sees it; undefined: nobody. */
  readonly tone: string | undefined
  /** Where its number stands; undefined: nowhere. */
  readonly number: Pixel | undefined
}

const Tag = memo(({ plan, tag, tone, number }: TagProps) => {
  const { from, to } = markOfTag(plan, tag.pose, tag.size_m)
  return (
    <g className="field-tag" data-tone={tone} data-seen={tone !== undefined}>
      <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
      {number && (
        <text x={number[0]} y={number[1]}>
          {tag.id}
        </text>
      )}
    </g>
  )
})

interface LinesProps extends GroundProps {
  readonly robot: FieldRobot
  readonly hasFigures: boolean
}

/** From the camera, else from the robot, to each tag in view. */
const Lines = ({ plan, map, robot: { camera, pose, seen = [], rays }, hasFigures }: LinesProps) => {
  const start = camera?.pose ?? pose
  if (!start) return null
  const from = plan.toPixel(start.x_m, start.y_m)
  const drawn: readonly FieldRay[] = rays ?? seen.map((tag) => ({ tag, isUsed: true, residualPx: null }))
  return tagsOfMap(map).flatMap(({ key, pose: { x_m, y_m } }) =>
    drawn
      .filter(({ tag }) => keyOfTag(tag) === key)
      .map((ray, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tag that is seen twice is told apart by nothing else
        <Ray key={`${key} ${n}`} ray={ray} from={from} to={plan.toPixel(x_m, y_m)} hasFigure={hasFigures} />
      )),
  )
}

interface RayProps {
  readonly ray: FieldRay
  readonly from: Pixel
  readonly to: Pixel
  readonly hasFigure: boolean
}

const FIGURES_AT = [0.78, 0.64, 0.5] as const // of the way to the tag: those of tags side by side do not meet
const CROSS_PX = 4

/** One line. One that is not used has another colour and another dash, and a cross on it. */
const Ray = ({ ray: { tag, isUsed, residualPx }, from: [x1, y1], to: [x2, y2], hasFigure }: RayProps) => {
  const at = FIGURES_AT[tag.id % FIGURES_AT.length] ?? FIGURES_AT[0]
  const [x, y] = [x1 + (x2 - x1) * at, y1 + (y2 - y1) * at]
  return (
    <g data-tone={isUsed ? undefined : 'bad'}>
      <line className="field-line" data-used={isUsed} x1={x1} y1={y1} x2={x2} y2={y2} />
      {!isUsed && (
        <path
          className="field-cross"
          d={`M${x - CROSS_PX} ${y - CROSS_PX}l${2 * CROSS_PX} ${2 * CROSS_PX}m0 ${-2 * CROSS_PX}l${
            -2 * CROSS_PX
          } ${2 * CROSS_PX}`}
        />
      )}
      {hasFigure && residualPx !== null && (
        <text className="field-residual" x={x} y={y - 10}>
          {figureOf(residualPx, 1)} px
        </text>
      )}
    </g>
  )
}

interface RobotProps {
  readonly plan: FieldPlan
  readonly robot: FieldRobot
  readonly hasEllipse: boolean
  readonly hasTruth: boolean
  readonly hasName: boolean
}

const Robot = ({ plan, robot, hasEllipse, hasTruth, hasName }: RobotProps) => {
  const { pose, deviations, truth, name, tone = 'good', size, isOld } = robot
  const least_m = MIN_ROBOT_PX / plan.px_per_m
  const length_m = Math.max(least_m, size?.length_m ?? USUAL_ROBOT_M)
  const width_m = Math.max(least_m, size?.width_m ?? USUAL_ROBOT_M)
  const ring = pose && deviations && ellipseOf(plan, pose, deviations)
  return (
    <g data-tone={tone} className={isOld ? 'is-old' : undefined}>
      {hasTruth && truth && (
        <polygon className="field-truth" points={pointsOf(cornersOfRobot(plan, truth, length_m, width_m))} />
      )}
      {pose && (
        <>
          <polygon className="field-robot" points={pointsOf(cornersOfRobot(plan, pose, length_m, width_m))} />
          <polygon className="field-heading" points={pointsOf(arrowOfRobot(plan, pose, length_m, width_m))} />
        </>
      )}
      {hasEllipse && ring && Math.max(ring.radius_x_px, ring.radius_y_px) > MIN_ELLIPSE_PX && (
        <ellipse
          className="field-ellipse"
          cx={ring.centre[0]}
          cy={ring.centre[1]}
          rx={Math.max(MIN_ELLIPSE_PX, ring.radius_x_px)}
          ry={Math.max(MIN_ELLIPSE_PX, ring.radius_y_px)}
        />
      )}
      {pose && hasName && (
        <Name at={plan.toPixel(pose.x_m, pose.y_m)} below_px={(length_m * plan.px_per_m) / 2 + 14}>
          {name}
        </Name>
      )}
    </g>
  )
}

const Name = ({ at: [x, y], below_px, children }: { at: Pixel; below_px: number; children: string }) => (
  <text className="field-name" x={x} y={y + below_px}>
    {children}
  </text>
)
