// All tuning files that were found.
import type { Documents } from '../../../api/client.ts'
import { Card, Pill } from '../../../parts/parts.tsx'

const PLACES: Readonly<Record<Documents['TuningPlace'], string>> = {
  named: 'named by the environment',
  listed: 'in a folder of the environment',
  own: "in this device's own folder",
  package: 'of the package',
}

/** With a link to each as it is. */
export const FileCard = ({ files }: { readonly files: readonly Documents['TuningFile'][] }) => (
  <Card title="Tuning files">
    <details className="card-body">
      <summary>{files.length} were found, in the order in which they are looked for</summary>
      <ul className="device-colour-files">
        {files.map(({ file, place, in_force, made_at_ms }) => (
          <li key={file}>
            <a href={`/v1/device/ipa/download?file=${encodeURIComponent(file)}`} download>
              {file}
            </a>
            <div className="row hint">
              {made_at_ms === null ? PLACES[place] : 'written by this device'}
              {in_force && <Pill tone="good">in force</Pill>}
            </div>
          </li>
        ))}
      </ul>
    </details>
  </Card>
)
