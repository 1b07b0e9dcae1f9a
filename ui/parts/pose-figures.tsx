// Where the robot is, as three figures with how far each may be off.

import type { FieldRobot } from '../drawing/field-robot.ts'
import { yawOf } from '../drawing/scene-pose.ts'
import { figureOf } from '../words.ts'
import { Figure, Figures } from './parts.tsx'

/** A length that is small against a field: in millimetres where that says more. */
export const smallLength = (m: number): string => (m < 0.1 ? `${figureOf(m * 1000, 1)} mm` : `${figureOf(m, 2)} m`)

const spread = (m: number | undefined) => (m === undefined ? undefined : `± ${smallLength(m)}`)

/** x, y and yaw on the field; dashes where nothing says where it is. */
export const PoseFigures = ({ pose, deviations }: Pick<FieldRobot, 'pose' | 'deviations'>) => (
  <Figures>
    <Figure size="large" name="x" value={pose?.x_m} digits={2} unit="m" under={spread(deviations?.x_m)} />
    <Figure size="large" name="y" value={pose?.y_m} digits={2} unit="m" under={spread(deviations?.y_m)} />
    <Figure
      size="large"
      name="yaw"
      value={pose && yawOf(pose)}
      digits={1}
      unit="°"
      under={deviations && `± ${figureOf(deviations.yaw_deg, 2)}°`}
    />
  </Figures>
)
