// How the board of the IMU sits on the robot: by where two of its axes point, or by angles.
import { Card, WriteNote } from '../../parts/parts.tsx'
import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import type { Imu, ImuChange } from '../../state/imu.ts'
import { MOUNT_NAMES, mountWords } from './imu-words.ts'
import { useChange } from './use-change.ts'

const BY_ANGLES = ''
const ANGLES = [
  ['roll_deg', 'Roll'],
  ['pitch_deg', 'Pitch'],
  ['yaw_deg', 'Yaw'],
] as const

/** The card. */
export const MountCard = ({ imu }: { readonly imu: Imu }) => {
  const { change, note } = useChange(imu)
  const { mount } = imu.settings
  return (
    <Card title="How it sits on the robot">
      <div className="card-body stack">
        <ChoiceField
          name="Axes of the chip point"
          value={imu.mount_name ?? BY_ANGLES}
          choices={{
            ...(imu.mount_name === null && { [BY_ANGLES]: 'askew, by the angles below' }),
            ...Object.fromEntries(MOUNT_NAMES.map((name) => [name, mountWords(name)])),
          }}
          onChange={(name) => change({ mount: name as NonNullable<ImuChange['mount']> })}
        />
        <p className="hint">
          The maker prints x, y and z on the board. Tip the front of the robot down: pitch has to rise. Raise its left
          side: roll has to rise. Turn it to the left: yaw has to rise.
        </p>
        <details>
          <summary>By angles, where it sits askew</summary>
          {ANGLES.map(([key, name]) => (
            <NumberField
              key={key}
              name={`${name} of the mount`}
              unit="°"
              value={mount[key]}
              min={-360}
              max={360}
              step={0.5}
              onChange={(value) => change({ mount: { ...mount, [key]: value } })}
            />
          ))}
        </details>
        <WriteNote {...note} />
      </div>
    </Card>
  )
}
