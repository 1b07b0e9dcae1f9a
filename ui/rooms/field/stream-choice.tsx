// Which streams say where the robot is.
import { State } from '../../parts/parts.tsx'
import { type AnyStream, isRemote } from '../../state/streams.ts'

/** What it takes. */
export interface StreamChoiceProps {
  readonly all: readonly AnyStream[]
  readonly chosen: readonly string[]
  readonly nameOf: (stream: AnyStream) => string
  /** Whether the pose of all cameras together is looked at. */
  readonly isJoint: boolean
  readonly onChooseJoint: (isChosen: boolean) => void
  readonly onChoose: (ids: readonly string[]) => void
}

/** A box for all cameras together, and one for each stream, of this device and of others. */
export const StreamChoice = ({ all, chosen, nameOf, onChoose, isJoint, onChooseJoint }: StreamChoiceProps) => (
  <fieldset className="field-streams row">
    <legend>Seen by</legend>
    <label className="field-stream">
      <input type="checkbox" checked={isJoint} onChange={({ target }) => onChooseJoint(target.checked)} />
      All cameras together
    </label>
    {all.map((stream) => (
      <label key={stream.id} className="field-stream">
        <input
          type="checkbox"
          checked={chosen.includes(stream.id)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, stream.id] : chosen.filter((id) => id !== stream.id))
          }
        />
        {nameOf(stream)}
        {isRemote(stream) && <State state={stream.compute} />}
      </label>
    ))}
  </fieldset>
)
