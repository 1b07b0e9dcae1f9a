// Which field it is, how to add one, and which files are none.
import type { Documents } from '../../api/client.ts'
import { Card, Field } from '../../parts/parts.tsx'
import { counted, figureOf } from '../../words.ts'

/** What it takes. */
export interface MapCardProps {
  readonly list: Documents['FieldMapList']
  readonly map: Documents['FieldMap']
  /** Of streams that are chosen and use another one: their names, and the ids of their maps. */
  readonly others: readonly { readonly name: string; readonly map: string }[]
  readonly onChoose: (id: string) => void
}

/** The map, and where it comes from. */
export const MapCard = ({ list: { items, how_to_add, left_out }, map, others, onChoose }: MapCardProps) => (
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
      {others.map(({ name, map: id }) => (
        <p key={name} className="hint">
          {name} uses the map “{items.find((item) => item.id === id)?.name ?? id}”: what it says is of that field.
        </p>
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
