// The robot on the field, small, as one stream has it.
import { useId, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { robotOutputs } from '../../drawing/drawn-outputs.ts'
import type { StreamOfRobot } from '../../drawing/field-robot.ts'
import { FieldView } from '../../drawing/field-view.tsx'
import { Card } from '../../parts/parts.tsx'
import { PoseFigures } from '../../parts/pose-figures.tsx'
import { rig } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { useMap } from '../../state/maps.ts'
import { useResults } from '../../state/results.ts'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import { robotNow, streamOfRobot } from '../field/seen-streams.ts'

/** Whether its pipeline says where the robot is. */
const saysWhere = ({ spec: { pipeline } }: Stream): boolean => {
  const places = new Set(pipeline.nodes.filter(({ type }) => type === 'field-pose').map(({ id }) => id))
  return pipeline.outputs.some(({ from }) => places.has(from.split('.')[0] ?? ''))
}

/**
 * The one that is shown until somebody chooses: a live one whose camera has its place on the robot, if there is one.
 */
const bestOf = (all: readonly Stream[]): Stream | undefined => {
  const worth = ({ status, spec }: Stream) => (status.state === 'live' ? 2 : 0) + (spec.pose ? 1 : 0)
  return all.toSorted((one, other) => worth(other) - worth(one))[0]
}

interface OnFieldProps {
  readonly stream: StreamOfRobot
  readonly spec: Stream['spec']
}

const OnField = ({ stream, spec: { map_id, pipeline } }: OnFieldProps) => {
  const { value: map } = useMap(map_id)
  useResults([stream.id], 'glance', robotOutputs(pipeline))
  const robot = robotNow(stream, stream.id)
  const { pose, deviations, isOld } = robot
  return (
    <>
      {map && <FieldView map={map} robots={[robot]} />}
      <div className={isOld ? 'card-body is-old' : 'card-body'}>
        <PoseFigures pose={pose} deviations={deviations} />
      </div>
    </>
  )
}

interface ChoiceProps {
  readonly all: readonly Stream[]
  readonly chosen: Stream
  readonly onChoose: (id: string) => void
}

const Choice = ({ all, chosen, onChoose }: ChoiceProps) => {
  const id = useId()
  if (all.length === 1) return <span className="hint">from {chosen.spec.alias}</span>
  return (
    <span className="row overview-robot">
      <label className="hint" htmlFor={id}>
        from
      </label>
      <select id={id} value={chosen.id} onChange={({ target }) => onChoose(target.value)}>
        {all.map((stream) => (
          <option key={stream.id} value={stream.id}>
            {stream.spec.alias}
          </option>
        ))}
      </select>
    </span>
  )
}

/** Nothing, where no stream says where the robot is. */
export const RobotCard = () => {
  const all = useOwnStreams()?.filter(saysWhere) ?? []
  const [id, choose] = useState<string>()
  const size = useKnownOf(rig, ({ value }) => value?.robot)
  const chosen = all.find((stream) => stream.id === id) ?? bestOf(all)
  const stream = useMemo(() => chosen && streamOfRobot(chosen, size, []), [chosen, size])
  if (!chosen || !stream) return null
  return (
    <Card
      title={<Link href={`/field?stream=${encodeURIComponent(chosen.id)}`}>Robot on the field</Link>}
      side={<Choice all={all} chosen={chosen} onChoose={choose} />}
    >
      <OnField stream={stream} spec={chosen.spec} />
    </Card>
  )
}
