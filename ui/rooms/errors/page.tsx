// What went wrong, counted, and the long work that runs or has ended: `/errors`, `/errors?tab=jobs`.
import { useSearchParams } from 'wouter'
import { Card, Tabs } from '../../parts/parts.tsx'
import { errors, jobs } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { History } from './history.tsx'
import { Jobs } from './jobs.tsx'

const ErrorsPage = () => {
  const [query, setQuery] = useSearchParams()
  const wrong = useKnownOf(errors, ({ value }) => value?.length)
  const running = useKnownOf(jobs, ({ value }) => value?.filter(({ ended_at_ms }) => ended_at_ms === null).length)
  return (
    <>
      <h1>Errors and jobs</h1>
      <Card label="Errors and jobs">
        <Tabs
          label="Errors and jobs"
          chosen={query.get('tab') ?? 'errors'}
          onChoose={(tab) => setQuery(tab === 'errors' ? {} : { tab })}
          tabs={[
            { id: 'errors', name: wrong ? `Errors (${wrong})` : 'Errors', content: () => <History /> },
            { id: 'jobs', name: running ? `Jobs (${running} going on)` : 'Jobs', content: () => <Jobs /> },
          ]}
        />
      </Card>
    </>
  )
}

export default ErrorsPage
