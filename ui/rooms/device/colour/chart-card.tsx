// The chart to print, or to show on a screen.
import { useState } from 'react'
import { Card, Field } from '../../../parts/parts.tsx'

const PAPERS = { a4: 'A4', letter: 'Letter', a3: 'A3', tabloid: 'Tabloid' } as const

/** With a choice of paper. */
export const ChartCard = () => {
  const [paper, setPaper] = useState<keyof typeof PAPERS>('a4')
  const query = `?paper=${paper}`
  return (
    <Card title="A chart">
      <div className="card-body stack">
        <p className="hint">
          For a matrix to keep, use a chart of 24 patches that was bought. A printed one has other inks: it is good for
          trying this out, and is found by its markers.
        </p>
        <Field name="Paper">
          {(id) => (
            <select
              id={id}
              className="input"
              value={paper}
              onChange={({ target }) => setPaper(target.value as keyof typeof PAPERS)}
            >
              {Object.entries(PAPERS).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="row">
          <a className="button" href={`/v1/device/ipa/ccm/chart.pdf${query}`} target="_blank" rel="noreferrer">
            To print (PDF)
          </a>
          <a className="button" href={`/v1/device/ipa/ccm/chart${query}`} target="_blank" rel="noreferrer">
            As a picture
          </a>
        </div>
      </div>
    </Card>
  )
}
