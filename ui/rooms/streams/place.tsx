// Where the camera of a stream sits on the robot.
import { Link } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { Button, WriteNote } from '../../parts/parts.tsx'
import { NumberInput } from '../../parts/slider.tsx'
import { peers } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { type AnyStream, isRemote } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { useDraft } from './draft.ts'
import type { StreamTarget } from './target.ts'

type Pose = Documents['Pose']

const ORIGIN: Pose = { x_m: 0, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const FIELDS = [
  { key: 'x_m', name: 'Forward', unit: 'm' },
  { key: 'y_m', name: 'Left', unit: 'm' },
  { key: 'z_m', name: 'Up', unit: 'm' },
  { key: 'roll_deg', name: 'Roll', unit: '°' },
  { key: 'pitch_deg', name: 'Pitch', unit: '°' },
  { key: 'yaw_deg', name: 'Yaw', unit: '°' },
] as const

/** Where it sits, as it is stored on its device; null: nobody has said. */
const usePose = (stream: AnyStream): Pose | null => {
  const rig = useKnownOf(peers, ({ value }) =>
    isRemote(stream) ? value?.find(({ id }) => id === stream.origin.peer_id)?.rig : undefined,
  )
  if (!isRemote(stream)) return stream.spec.pose ?? null
  return rig?.find(({ stream_id }) => stream_id === stream.spec.id)?.pose ?? null
}

/** `x 0.25, y 0, z 0.6 m; roll 0, pitch −10, yaw 0°`. */
const describePose = (pose: Pose | null): string => {
  if (!pose) return 'nothing'
  const [x, y, z, roll, pitch, yaw] = FIELDS.map(({ key, unit }) => figureOf(pose[key], unit === 'm' ? 3 : 1))
  return `${x}, ${y}, ${z} m; ${roll}, ${pitch}, ${yaw}°`
}

/** In numbers; by dragging in the room of the rig. */
export const PlaceForm = ({ stream, target }: { readonly stream: AnyStream; readonly target: StreamTarget }) => {
  const current = usePose(stream)
  const { state, write, clear } = useWrite({ target: target.device, heeds: target.heeds })
  const draft = useDraft(current, stream.revision)
  const shown = draft.value ?? ORIGIN
  const send = async (pose: Pose | null, expected: number) => {
    const answer = await write(() => target.setPose(pose, expected))
    if (answer.ok) draft.settle(answer.revision)
  }
  return (
    <section className="stack" aria-label="Place on the robot">
      <h2>Place on the robot</h2>
      <p className="hint">
        {current === null && 'Nobody has said where the camera sits. '}
        From the middle of the robot, on the floor. <Link href="/rig">Set it by dragging</Link>
      </p>
      <div className="streams-place">
        {FIELDS.map(({ key, name, unit }) => (
          <span key={key} className="row">
            <span className="grow" aria-hidden>
              {name}
            </span>
            <NumberInput
              label={`${name}, of the camera`}
              value={shown[key]}
              step={unit === 'm' ? 0.01 : 1}
              onChange={(value) => draft.change({ ...shown, [key]: value })}
            />
            <span className="unit">{unit}</span>
          </span>
        ))}
      </div>
      <div className="row">
        <Button
          disabled={!draft.isChanged || state.state === 'pending'}
          onClick={() => void send(shown, draft.expected)}
        >
          Set the place
        </Button>
        <Button disabled={!draft.isChanged} onClick={draft.drop}>
          Undo
        </Button>
        <Button
          disabled={current === null || state.state === 'pending'}
          onClick={() => void send(null, draft.expected)}
        >
          Forget it
        </Button>
      </div>
      <WriteNote
        state={state}
        theirs={describePose(current)}
        mine={describePose(draft.value)}
        onTakeTheirs={() => {
          draft.drop()
          clear()
        }}
        onSetMine={() => void send(draft.value, stream.revision)}
      />
    </section>
  )
}
