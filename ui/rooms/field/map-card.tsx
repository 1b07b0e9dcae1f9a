// Which field it is, how to add one, and which files are none.
import type { Documents } from '../../api/client.ts'
import { Card, Field } from '../../parts/parts.tsx'
import type { Stream } from '../../state/streams.ts'
import { counted, figureOf } from '../../words.ts'
import { UseMap } from './use-map.tsx'

/** What it takes. */
export interface MapCardProps {
  readonly list: Documents['FieldMapList']
  readonly map: Documents['FieldMap']
  /** Of this device, those that are chosen and use another one. */
  readonly others: readonly Stream[]
  readonly mayWrite: boolean
  readonly onChoose: (id: string) => void
}

/** The map, and where it comes from. */
export const MapCard = ({ list: { items, how_to_add, left_out }, map, others, mayWrite, onChoose }: MapCardProps) => (
  <Card title="Map">
    <div className="card-body stack">
      <Field
        name="Shown"
        hint={`${figureOf(map.length_m, 2)} × ${figureOf(map.width_m, 2)} m, ${counted(map.tags.length, 'tag')} of ${
          map.family
        }, ${figureOf(map.tag_size_m * 100, 2)} cm wide`}
      >
        {(id, describedBy) => (
          <select
            id={id}
            className="input"
            aria-describedby={describedBy}
            value={map.id}
            onChange={({ target }) => onChoose(target.value)}
          >
            {items.map((item) => (
              <option key={item.id} value={item.id}>
                {item.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {others.map(({ id, revision, spec }) => (
        <UseMap
          key={id}
          name={spec.alias}
          uses={items.find((item) => item.id === spec.map_id)?.name ?? spec.map_id}
          streamId={id}
          revision={revision}
          map={map.id}
          mayWrite={mayWrite}
        />
      ))}
      {left_out.map(({ file, detail }) => (
        <p key={file} className="alert" data-tone="bad">
          {detail}
        </p>
      ))}
      <details>
        <summary>Add a map</summary>
        <p>{how_to_add}</p>
      </details>
    </div>
  </Card>
)
