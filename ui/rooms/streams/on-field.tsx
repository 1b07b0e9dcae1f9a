// The robot on the field, as it was in the frame on the screen.
import { useMemo } from 'react'
import { Link } from 'wouter'
import { robotOf } from '../../drawing/field-robot.ts'
import { FieldView } from '../../drawing/field-view.tsx'
import { limitsOfStream } from '../../drawing/scene-frustum.ts'
import { Card } from '../../parts/parts.tsx'
import { rig } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { useMap } from '../../state/maps.ts'
import type { Stream } from '../../state/streams.ts'
import { type Shown, useShown } from './shown-frame.ts'

/** Whether its pipeline says where the robot is. */
const saysWhere = ({ spec: { pipeline } }: Stream): boolean => pipeline.nodes.some(({ type }) => type === 'field-pose')

const Drawn = ({ stream, shown }: { readonly stream: Stream; readonly shown: Shown }) => {
  const facts = useShown(shown)
  const { value: map } = useMap(stream.spec.map_id)
  const size = useKnownOf(rig, ({ value }) => value?.robot)
  const { id, spec, status } = stream
  const robot = useMemo(
    () =>
      robotOf(
        { id, name: spec.alias, size, limits: limitsOfStream(status), mount: spec.pose ?? null },
        facts?.outputs ?? {},
      ),
    [id, spec, status, size, facts],
  )
  return map ? <FieldView map={map} robots={[robot]} /> : null
}

/** Nothing, for a stream whose pipeline does not say where the robot is. */
export const OnField = ({ stream, shown }: { readonly stream: Stream; readonly shown: Shown }) =>
  saysWhere(stream) && (
    <Card
      title="On the field"
      side={<Link href={`/field?stream=${encodeURIComponent(stream.id)}`}>Open it large</Link>}
    >
      <Drawn stream={stream} shown={shown} />
    </Card>
  )
