// Cameras that are plugged in and that no stream uses: one press starts one, in its best mode.
import { Usb } from 'lucide-react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Card, Empty, WriteNote } from '../../parts/parts.tsx'
import { cameras } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'

type Camera = Documents['Camera']

/** Whether it could be used and is not. */
export const isUnused = ({ present, stream_id }: Camera): boolean => present && stream_id === null

const aboutOf = ({ usb, best_mode, trouble }: Camera): string =>
  [
    usb && `port ${usb.port}`,
    trouble ?? (best_mode && `best ${best_mode.width_px}×${best_mode.height_px} at ${Math.round(best_mode.fps)}`),
  ]
    .filter(Boolean)
    .join(', ')

const UnusedCamera = ({ camera }: { readonly camera: Camera }) => {
  const { camera_uid, name, best_mode } = camera
  const { state, write } = useWrite()
  const start = () => write(() => ask(api.POST('/v1/streams', { body: { camera_uid, alias: name } })))
  return (
    <li className="overview-camera">
      <Usb size={20} aria-hidden />
      <div className="grow">
        <strong>{name}</strong>
        <div className="hint">{aboutOf(camera)}</div>
        <WriteNote state={state} />
      </div>
      <Button
        kind="main"
        aria-label={`Start ${name}`}
        disabled={best_mode === null || state.state === 'pending'}
        onClick={() => void start()}
      >
        Start
      </Button>
    </li>
  )
}

/** Each with a button that starts it. */
export const PluggedIn = ({ cameras }: { readonly cameras: readonly Camera[] }) => (
  <ul className="list">
    {cameras.map((camera) => (
      <UnusedCamera key={camera.camera_uid} camera={camera} />
    ))}
  </ul>
)

// It sits on the robot as that of the demo does, so that there is a robot on the field at once.
const SYNTHETIC = {
  alias: 'Synthetic camera',
  source: { backend: 'synthetic' },
  pose: { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
} as const

const TrySynthetic = () => {
  const { state, write } = useWrite()
  const start = () => write(() => ask(api.POST('/v1/streams', { body: SYNTHETIC })))
  return (
    <div className="row">
      <Button disabled={state.state === 'pending'} onClick={() => void start()}>
        Try with the synthetic camera
      </Button>
      <WriteNote state={state} />
    </div>
  )
}

/** What to do on a device that has no stream yet. */
export const FirstSteps = () => {
  const all = useKnownOf(cameras, ({ value }) => value)
  const unused = all?.filter(isUnused) ?? []
  if (unused.length === 0)
    return (
      <Card label="First steps">
        <Empty action={<TrySynthetic />}>No camera is plugged in. Plug one in, it shows here.</Empty>
      </Card>
    )
  return (
    <Card title="Plugged in, not in use">
      <PluggedIn cameras={unused} />
      <div className="card-body">
        <TrySynthetic />
      </div>
    </Card>
  )
}
