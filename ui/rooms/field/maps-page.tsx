// The field maps of this device: where they come from, what is odd in them, and a new one.
import { useSearchParams } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { FieldView } from '../../drawing/field-view.tsx'
import { Alert, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { localizationConfig } from '../../state/localization-config.ts'
import { maps, useMap } from '../../state/maps.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { counted, figureOf, type Shown } from '../../words.ts'
import { shortHash } from './map-mark.tsx'
import { MapUploadCard } from './map-upload-card.tsx'
import { UseEverywhere } from './use-everywhere.tsx'

type Summary = Documents['FieldMapSummary']

const ORIGINS: Readonly<Record<Summary['origin'], Shown>> = {
  built_in: { word: 'built in', tone: 'quiet' },
  uploaded: { word: 'uploaded', tone: 'good' },
  file: { word: 'a file in the folder', tone: 'peer' },
}

/** The page. */
export const MapsPage = () => {
  const [query, setQuery] = useSearchParams()
  const { value: list, problem } = useKnown(maps)
  const used = useKnownOf(localizationConfig, ({ value }) => value?.status.map?.id)
  const mayWrite = useKnownOf(session, ({ value }) => value?.may.includes('operate') ?? false)
  const choose = (id: string) => setQuery({ map: id })
  const chosen = query.get('map') ?? used ?? list?.items[0]?.id
  return (
    <>
      <h1>Field maps</h1>
      {problem && <ProblemNote problem={problem} />}
      {list?.left_out.map(({ file, detail }) => (
        <Alert key={file} tone="bad">
          {detail}
        </Alert>
      ))}
      {list && (
        <div className="field-maps">
          <div className="stack">
            <Card title="On this device">
              <fieldset>
                <legend className="only-read-aloud">Map that is looked at</legend>
                <ul className="list">
                  {list.items.map((item) => (
                    <Row
                      key={item.id}
                      item={item}
                      isChosen={item.id === chosen}
                      isUsed={item.id === used}
                      onChoose={choose}
                    />
                  ))}
                </ul>
              </fieldset>
            </Card>
            {mayWrite && <MapUploadCard onStored={choose} />}
          </div>
          {chosen !== undefined && (
            <OneMap key={chosen} id={chosen} item={list.items.find(({ id }) => id === chosen)} mayWrite={mayWrite} />
          )}
        </div>
      )}
    </>
  )
}

interface RowProps {
  readonly item: Summary
  readonly isChosen: boolean
  readonly isUsed: boolean
  readonly onChoose: (id: string) => void
}

const Row = ({ item, isChosen, isUsed, onChoose }: RowProps) => {
  const { word, tone } = ORIGINS[item.origin]
  return (
    <li>
      <label className="grow row">
        <input type="radio" name="map" checked={isChosen} onChange={() => onChoose(item.id)} />
        <span className="grow">
          <strong>{item.name}</strong> <code title={item.hash}>@{shortHash(item.hash)}</code>
          <span className="hint field-map-size">
            {counted(item.tag_count, 'tag')}, {figureOf(item.length_m, 3)} × {figureOf(item.width_m, 3)} m
          </span>
        </span>
      </label>
      {item.warnings.length > 0 && <Pill tone="busy">{counted(item.warnings.length, 'warning')}</Pill>}
      {isUsed && <Pill tone="good">in use</Pill>}
      <Pill tone={tone}>{word}</Pill>
    </li>
  )
}

const FORMS = [
  ['vedette', 'Own form', '.json'],
  ['wpilib', 'WPILib', '.json'],
  ['wpilib-2027', 'WPILib 2027', '.json'],
  ['fmap', 'Vendor .fmap', '.fmap'],
] as const

interface OneMapProps {
  readonly id: string
  /** As the list has it; undefined: it is not there. */
  readonly item: Summary | undefined
  readonly mayWrite: boolean
}

/** One of them, drawn, with what is odd in it and in which forms it can be had. */
const OneMap = ({ id, item, mayWrite }: OneMapProps) => {
  const { value: map, problem } = useMap(id)
  const streams = useOwnStreams() ?? []
  const by = streams.filter(({ spec }) => spec.map_id === id)
  return (
    <Card title={item?.name ?? id} side={item && <code title={item.hash}>@{shortHash(item.hash)}</code>}>
      {problem && <ProblemNote problem={problem} />}
      {map && <FieldView map={map} robots={[]} size="large" />}
      {item && (
        <div className="card-body stack">
          {item.warnings.map((warning) => (
            <p key={warning} className="alert" data-tone="busy">
              {warning}
            </p>
          ))}
          <p className="hint">
            {counted(item.tag_count, 'tag')} of {item.family}, {figureOf(item.tag_size_m * 100, 2)} cm wide.{' '}
            {by.length === 0 ? 'No stream uses it.' : `Used by ${by.map(({ spec }) => spec.alias).join(', ')}.`}
          </p>
          {mayWrite && <UseEverywhere id={id} name={item.name} />}
          <p className="row">
            Download
            {FORMS.map(([form, name, ending]) => (
              <a
                key={form}
                href={`/v1/localization/maps/${encodeURIComponent(id)}?format=${form}`}
                download={`${id}${ending}`}
              >
                {name}
              </a>
            ))}
          </p>
          <details>
            <summary>All {item.hash.length} digits of its hash</summary>
            <code className="field-hash">{item.hash}</code>
            <p className="hint">The same for the same tags in the same places, on every device and in every form.</p>
          </details>
        </div>
      )}
    </Card>
  )
}
