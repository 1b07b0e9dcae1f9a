// Where one camera sits, in numbers, and what becomes of a change.
import { useMemo } from 'react'
import type { AnglePose } from '../../drawing/scene-pose.ts'
import { Button, Card, Pill, WriteNote } from '../../parts/parts.tsx'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { NumberInput } from './number-input.tsx'
import { forgetPose, type RigCamera, savePose } from './rig-cameras.ts'
import { SeenNow } from './seen-now.tsx'
import type { useDraft } from './use-draft.ts'

/** At the middle of the robot, looking forward: what is taken where nobody has said. */
export const AT_ORIGIN: AnglePose = { x_m: 0, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** What it takes. */
export interface PoseFormProps {
  readonly camera: RigCamera
  readonly draft: ReturnType<typeof useDraft<AnglePose | null>>
  readonly mayWrite: boolean
}

const LENGTHS = [
  ['x_m', 'Forward', 'x'],
  ['y_m', 'Left', 'y'],
  ['z_m', 'Up', 'z'],
] as const

const ANGLES = [
  ['yaw_deg', 'Yaw', 'left'],
  ['pitch_deg', 'Pitch', 'down'],
  ['roll_deg', 'Roll', 'clockwise'],
] as const

const inWords = (pose: AnglePose | null): string =>
  pose === null
    ? 'not set'
    : `${LENGTHS.map(([key]) => figureOf(pose[key] * 100, 1)).join(', ')} cm; ${ANGLES.map(
        ([key, name]) => `${name.toLowerCase()} ${figureOf(pose[key], 1)}°`,
      ).join(', ')}`

/** The numbers of a camera. */
export const PoseForm = ({ camera, draft, mayWrite }: PoseFormProps) => {
  const { peer, streamId } = camera
  const options = useMemo(() => {
    const heeds = (ref: Readonly<Record<string, string>>) =>
      ref.stream_id === streamId && (ref.peer_id ?? undefined) === peer?.id
    return { target: peer?.name, heeds }
  }, [streamId, peer?.id, peer?.name])
  const { state, write, clear } = useWrite(options)
  const pose = draft.value ?? AT_ORIGIN
  const isOpen = mayWrite && streamId !== null
  const save = async (expected: number | null) => {
    const answer = await write(() => savePose(camera, pose, expected))
    if (answer.ok) draft.drop()
  }
  const forget = async () => {
    const answer = await write(() => forgetPose(camera))
    if (answer.ok) draft.drop()
  }
  return (
    <Card title={camera.name} side={peer && <Pill tone="peer">of {peer.name}</Pill>}>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save(draft.expected)
        }}
      >
        {streamId === null && <p className="hint">No stream has this camera. Start one: then it can be set.</p>}
        {streamId !== null && camera.pose === null && (
          <p className="hint">
            Nobody has said where it sits: it is taken to be the middle of the robot, on the floor.
          </p>
        )}
        <div className="rig-numbers">
          {LENGTHS.map(([key, name, axis]) => (
            <NumberInput
              key={key}
              name={name}
              unit="cm"
              hint={axis}
              step={0.5}
              value={pose[key] * 100}
              isDisabled={!isOpen}
              onChange={(value) => value !== null && draft.change({ ...pose, [key]: value / 100 })}
            />
          ))}
          {ANGLES.map(([key, name, positive]) => (
            <NumberInput
              key={key}
              name={name}
              unit="°"
              hint={`+ ${positive}`}
              step={1}
              min={-180}
              max={180}
              value={pose[key]}
              isDisabled={!isOpen}
              onChange={(value) => value !== null && draft.change({ ...pose, [key]: value })}
            />
          ))}
        </div>
        <SeenNow camera={camera} onUse={isOpen ? draft.change : undefined} />
        {isOpen && (
          <div className="row">
            <Button type="submit" kind="main" disabled={!draft.isChanged}>
              {peer ? `Save on ${peer.name}` : 'Save'}
            </Button>
            {draft.isChanged && <Button onClick={draft.drop}>Undo</Button>}
            {camera.pose !== null && !draft.isChanged && (
              <Button kind="plain" onClick={() => void forget()}>
                Forget
              </Button>
            )}
          </div>
        )}
        <WriteNote
          state={state}
          theirs={inWords(camera.pose)}
          mine={inWords(draft.value)}
          onTakeTheirs={() => {
            draft.drop()
            clear()
          }}
          onSetMine={() => void save(camera.revision)}
        />
      </form>
    </Card>
  )
}
