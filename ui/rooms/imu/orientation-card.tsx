// Where the robot points, as a box and as numbers.

import { drawTurnedBox, type Quaternion } from '../../drawing/turned-box.ts'
import { Card, Figure, Figures, Pill } from '../../parts/parts.tsx'
import { CanvasDrawing } from '../../pictures/canvas-drawing.tsx'
import type { Imu } from '../../state/imu.ts'
import { figureOf } from '../../words.ts'

const ANGLES = [
  { name: 'roll', of: 'roll_deg', above: 'left side up', below: 'right side up' },
  { name: 'pitch', of: 'pitch_deg', above: 'front down', below: 'front up' },
  { name: 'yaw', of: 'yaw_deg', above: 'to the left', below: 'to the right' },
] as const

const LEVEL_DEG = 0.5
const NO_SIDE = '\u00a0' // of the same height

/** To which side an angle goes; nothing where it is none. */
const sideOf = (deg: number, above: string, below: string): string => {
  if (Math.abs(deg) < LEVEL_DEG) return NO_SIDE
  return deg > 0 ? above : below
}

/** The card. */
export const OrientationCard = ({ imu: { reading, is_at_rest } }: { readonly imu: Imu }) => (
  <Card
    title="Orientation"
    side={reading && <Pill tone={is_at_rest ? 'quiet' : 'good'}>{is_at_rest ? 'holds still' : 'moves'}</Pill>}
  >
    <div className="card-body stack">
      {reading ? (
        <>
          <CanvasDrawing
            label={[
              `The robot as the IMU says it is turned: roll ${figureOf(reading.roll_deg, 0)}`,
              `pitch ${figureOf(reading.pitch_deg, 0)}, yaw ${figureOf(reading.yaw_deg, 0)} degrees`,
            ].join(', ')}
            className="imu-box"
            isMoving={false}
            draw={(drawing) => drawTurnedBox(drawing, reading.quat as unknown as Quaternion)}
          />
          <p className="hint">
            Seen from behind and from the right; the green side is the front of the robot. Yaw is 0 at the start.
          </p>
          <Figures>
            {ANGLES.map(({ name, of, above, below }) => (
              <Figure
                key={name}
                name={name}
                value={reading[of]}
                digits={1}
                unit="°"
                size="large"
                under={sideOf(reading[of], above, below)}
              />
            ))}
          </Figures>
        </>
      ) : (
        <p>No reading has come yet.</p>
      )}
    </div>
  </Card>
)
