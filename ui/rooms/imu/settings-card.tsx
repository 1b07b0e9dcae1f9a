// Whether the IMU is used, which of several, and how fast it is read.
import { Card, WriteNote } from '../../parts/parts.tsx'
import { CheckField, ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import type { Imu } from '../../state/imu.ts'
import { useChange } from './use-change.ts'

const BEST = ''

/** The card. */
export const SettingsCard = ({ imu }: { readonly imu: Imu }) => {
  const { change, note } = useChange(imu)
  const { settings, found } = imu
  const usable = found.filter(({ detail }) => detail === null)
  const chosen = found.find(({ id }) => id === settings.imu)
  return (
    <Card title="Settings">
      <div className="card-body stack">
        <CheckField name="Use the IMU" value={settings.enabled} onChange={(enabled) => change({ enabled })} />
        <ChoiceField
          name="Which one"
          value={settings.imu ?? BEST}
          choices={{
            [BEST]: 'The best that there is',
            ...(settings.imu !== null && {
              [settings.imu]: `${settings.imu}, ${chosen ? 'which cannot be used' : 'which is not there'}`,
            }),
            ...Object.fromEntries(usable.map(({ id, name }) => [id, `${name} (${id})`])),
          }}
          onChange={(id) => change({ imu: id === BEST ? null : id })}
        />
        <NumberField
          name="Samples"
          unit="per s"
          hint="The chip takes the nearest that it has. 200 follow a robot that shakes."
          value={settings.rate_hz}
          min={10}
          max={4_000}
          onChange={(rate_hz) => change({ rate_hz: Math.round(rate_hz) })}
        />
        <WriteNote {...note} />
      </div>
    </Card>
  )
}
