// How large the robot is.
import { useCallback } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Card, WriteNote } from '../../parts/parts.tsx'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { NumberInput } from './number-input.tsx'
import type { useDraft } from './use-draft.ts'

type Robot = Documents['RobotDimensions']

const SIDES = [
  ['length_m', 'Length'],
  ['width_m', 'Width'],
  ['height_m', 'Height'],
] as const

const inWords = (robot: Robot): string =>
  `${SIDES.map(([key]) => figureOf(robot[key] && robot[key] * 100)).join(' × ')} cm`

/** What it takes. */
export interface RobotFormProps {
  readonly layout: Documents['CameraLayout']
  readonly draft: ReturnType<typeof useDraft<Robot>>
  readonly mayWrite: boolean
}

/** Its numbers, bumpers and all. */
export const RobotForm = ({ layout, draft, mayWrite }: RobotFormProps) => {
  const heeds = useCallback((ref: Readonly<Record<string, string>>) => Object.keys(ref).length === 0, [])
  const { state, write, clear } = useWrite({ heeds })
  const save = async (expected: number | null) => {
    const body = { ...draft.value, ...(expected !== null && { expected_revision: expected }) }
    const answer = await write(() => ask(api.PATCH('/v1/device/robot-dimensions', { body })))
    if (answer.ok) draft.drop()
  }
  return (
    <Card title="Robot">
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save(draft.expected)
        }}
      >
        <div className="rig-numbers">
          {SIDES.map(([key, name]) => (
            <NumberInput
              key={key}
              name={name}
              unit="cm"
              min={1}
              step={0.5}
              value={draft.value[key] === null ? null : draft.value[key] * 100}
              isDisabled={!mayWrite}
              onChange={(value) => draft.change({ ...draft.value, [key]: value === null ? null : value / 100 })}
            />
          ))}
        </div>
        <p className="hint">With its bumpers. What is left empty is drawn as most robots are.</p>
        {mayWrite && (
          <div className="row">
            <Button type="submit" disabled={!draft.isChanged}>
              Save size
            </Button>
            {draft.isChanged && <Button onClick={draft.drop}>Undo</Button>}
          </div>
        )}
        <WriteNote
          state={state}
          theirs={inWords(layout.robot)}
          mine={inWords(draft.value)}
          onTakeTheirs={() => {
            draft.drop()
            clear()
          }}
          onSetMine={() => void save(layout.revision)}
        />
      </form>
    </Card>
  )
}
