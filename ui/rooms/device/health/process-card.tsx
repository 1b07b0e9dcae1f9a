// What the parts of the service compute, and the memory that they take.
import { Card } from '../../../parts/parts.tsx'
import { ResourceLink } from '../../../parts/resource-link.tsx'
import { Scrollable } from '../../../parts/scrollable.tsx'
import type { Metrics } from '../../../state/system.ts'
import { figureOf, sizeOf } from '../../../words.ts'

const PERCENT = 100

/** A part with its share of what all share; until that is known, with all of it. */
export const ProcessCard = ({ processes }: Pick<Metrics, 'processes'>) => (
  <Card title="Parts of the service">
    <Scrollable name="Processes of the service">
      <table className="health-processes">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">% of a core</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ part, stream_id, pid, cpu_load, pss_bytes, rss_bytes }) => {
            const bytes = pss_bytes ?? rss_bytes
            return (
              <tr key={pid}>
                <th scope="row">
                  {part === 'engine' && stream_id !== null ? (
                    <ResourceLink resource={`streams/${stream_id}`}>Stream {stream_id}</ResourceLink>
                  ) : (
                    'The service itself'
                  )}
                </th>
                <td>{figureOf(cpu_load === null ? null : PERCENT * cpu_load)}</td>
                <td>{bytes === null ? '–' : sizeOf(bytes)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrollable>
  </Card>
)
