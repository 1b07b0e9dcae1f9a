// What the device is and what it runs.
import { Card, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { release } from '../../../state/system.ts'
import { spanOf } from '../../../words.ts'

const Line = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value === null ? null : (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )

/** As the device says it. */
export const SystemCard = () => {
  const { value, problem } = useKnown(release)
  const image = value && [value.image_id, value.image_version ?? value.build_id].filter(Boolean).join(' ')
  return (
    <Card title="System">
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <dl className="card-body health-facts">
          <Line name="device" value={value.model} />
          <Line name="system" value={value.name} />
          <Line name="image" value={image || null} />
          <Line name="kernel" value={value.kernel} />
          <Line name="processor" value={value.architecture} />
          <Line name="switched on for" value={value.up_s === null ? null : spanOf(value.up_s * 1_000)} />
        </dl>
      )}
    </Card>
  )
}
