// Other programs that send poses: what they are declared as, and what came of what they sent.
import { Trash2 } from 'lucide-react'
import { Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { type ExternalSource, externalSources, forgottenSources } from '../../state/localization-sources.ts'
import { counted, figureOf } from '../../words.ts'

const KINDS: Readonly<Record<ExternalSource['spec']['kind'], string>> = {
  absolute: 'says where the robot is',
  relative: 'says how the robot moves',
}

const ORIGINS: Readonly<Record<ExternalSource['spec']['origin'], string>> = {
  blue: 'from the blue corner',
  red: 'from the red corner',
  centre: 'from the middle of the field',
  own: 'from where it was switched on',
}

const TIMES: Readonly<Record<ExternalSource['spec']['time_base'], string>> = {
  server_us: 'in the time of the robot',
  age_us: 'with the age of each pose',
  arrival: 'without a time, so it counts from when it comes',
}

/** All that are declared. */
export const ExternalSources = () => {
  const { value, problem } = useKnown(externalSources)
  const mayWrite = useKnownOf(session, (known) => known.value?.may.includes('operate') ?? false)
  const forgotten = useForgotten(forgottenSources)
  const shown = value?.filter(({ id }) => !forgotten.ids.includes(id))
  return (
    <Card title="Other programs">
      {(problem ?? forgotten.problem) && (
        <div className="card-body">
          <ProblemNote problem={(problem ?? forgotten.problem) as NonNullable<typeof problem>} />
        </div>
      )}
      {shown?.length === 0 && (
        <p className="card-body hint">
          None. A program on the robot, such as one of a headset, may send its pose here: declare it with{' '}
          <code>PUT /v1/localization/external/sources/NAME</code>, then send to <code>…/NAME/sample</code>. The{' '}
          <a href="/docs">API</a> shows both.
        </p>
      )}
      <ul className="list">
        {shown?.map((source) => (
          <Row key={source.id} source={source} mayWrite={mayWrite} />
        ))}
      </ul>
    </Card>
  )
}

const Row = ({ source: { id, spec, status }, mayWrite }: { readonly source: ExternalSource; mayWrite: boolean }) => (
  <li className="field-source">
    <div className="grow">
      <strong>{id}</strong>{' '}
      <Pill tone={spec.use === 'solve' ? 'good' : 'quiet'}>
        {spec.use === 'solve' ? 'counts beside the cameras' : 'only shown'}
      </Pill>
      <p className="hint">
        It {KINDS[spec.kind]}, {ORIGINS[spec.origin]},{` ${TIMES[spec.time_base]}`}; old after{' '}
        {figureOf(spec.max_age_ms)} ms.
      </p>
      <ul>
        {status.outputs.map(({ output_key, stale, age_ms, accepted, refused }) => (
          <li key={output_key} className="row">
            <code>{output_key}</code>
            <Pill tone={age_ms === null ? 'quiet' : stale ? 'bad' : 'good'}>
              {age_ms === null ? 'nothing has come' : stale ? 'old' : 'fresh'}
            </Pill>
            <span className="hint">
              {counted(accepted, 'pose')} taken{refusedInWords(refused)}
            </span>
          </li>
        ))}
      </ul>
    </div>
    {mayWrite && (
      <Button
        kind="plain"
        icon={<Trash2 size={18} aria-hidden />}
        aria-label={`Remove ${id}`}
        onClick={() => forgottenSources.forget(id, `${id} is removed`)}
      />
    )}
  </li>
)

const refusedInWords = (refused: Readonly<Record<string, number>>): string =>
  Object.entries(refused)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `, ${figureOf(count)} ${reason.replaceAll('_', ' ')}`)
    .join('')
