// The error history: equal faults of one thing are one row with a count.
import { Download, Eraser } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { api, ask, type Documents, type Problem } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Button, Empty, ProblemNote } from '../../parts/parts.tsx'
import { ResourceLink } from '../../parts/resource-link.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { errors } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { useQueryChoices } from '../../state/query-choices.ts'
import { withUndo } from '../../state/undo.ts'
import { counted, spanOf } from '../../words.ts'

type ErrorEntry = Documents['ErrorEntry']

const FIRST_ROWS = 100
const AGE_MS = 5000

const areaOf = ({ resource }: ErrorEntry): string => resource.split('/')[0] || 'this device'

const dateOf = (ms: number): string =>
  new Date(browserTimeOf(ms)).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** What time it is, to so many milliseconds: one clock for all rows. */
const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

const Row = ({ entry, now }: { readonly entry: ErrorEntry; readonly now: number }) => {
  const { code, resource, detail, count, first_at_ms, last_at_ms } = entry
  return (
    <tr>
      <td title={dateOf(last_at_ms)}>{spanOf(now - browserTimeOf(last_at_ms))} ago</td>
      <td title={`first on ${dateOf(first_at_ms)}`}>{count}</td>
      <td>
        <ResourceLink resource={resource} />
      </td>
      <td>
        {detail}
        <div className="under">
          <code>{code}</code> <Link href={`/device/logs?at=${last_at_ms}`}>the log at that time</Link>
        </div>
      </td>
    </tr>
  )
}

/** Clears it, after some seconds in which that can be undone. */
const useClearing = () => {
  const [isCleared, setCleared] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const clear = (count: number) => {
    setCleared(true)
    setProblem(undefined)
    const carryOut = async (isLeaving: boolean) => {
      const answer = await ask(api.DELETE('/v1/errors', { body: {}, keepalive: isLeaving }))
      setCleared(false)
      if (!answer.ok) setProblem(answer.problem)
    }
    withUndo(
      `Cleared ${counted(count, 'error')}`,
      (isLeaving) => void carryOut(isLeaving),
      () => setCleared(false),
    )
  }
  return { isCleared, problem, clear }
}

const Table = ({ shown }: { readonly shown: readonly ErrorEntry[] }) => {
  const [rows, setRows] = useState(FIRST_ROWS)
  const now = useNow(AGE_MS)
  return (
    <>
      <Scrollable name="History">
        <table className="errors-table">
          <thead>
            <tr>
              <th scope="col">Last</th>
              <th scope="col">Times</th>
              <th scope="col">Where</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, rows).map((entry) => (
              <Row key={`${entry.code} ${entry.resource}`} entry={entry} now={now} />
            ))}
          </tbody>
        </table>
      </Scrollable>
      {shown.length > rows && (
        <Button onClick={() => setRows(rows + 4 * FIRST_ROWS)}>Show more of {shown.length}</Button>
      )}
    </>
  )
}

interface ToolsProps {
  readonly all: readonly ErrorEntry[]
  readonly onClear: () => void
}

/** What is shown of it, and what can be done with all of it. */
const Tools = ({ all, onClear }: ToolsProps) => {
  const [query, set] = useQueryChoices()
  const areas = [...new Set(all.map(areaOf))].sort()
  return (
    <div className="row errors-tools">
      <label className="row">
        Find
        <input type="search" value={query.get('q') ?? ''} onChange={({ target }) => set('q', target.value)} />
      </label>
      <label className="row">
        Where
        <select value={query.get('where') ?? ''} onChange={({ target }) => set('where', target.value)}>
          <option value="">everywhere</option>
          {areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </select>
      </label>
      <span className="grow" />
      <a className="button" href="/v1/errors/export" download="vedette-errors.json">
        <Download size={18} aria-hidden /> Export
      </a>
      <Button icon={<Eraser size={18} aria-hidden />} disabled={all.length === 0} onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}

const isWanted = (query: URLSearchParams) => {
  const where = query.get('where') ?? ''
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return (entry: ErrorEntry): boolean => {
    const text = `${entry.code} ${entry.resource} ${entry.detail}`.toLowerCase()
    return (where === '' || areaOf(entry) === where) && words.every((word) => text.includes(word))
  }
}

/** All of it, the latest first. */
export const History = () => {
  const { value, problem } = useKnown(errors)
  const { isCleared, problem: refused, clear } = useClearing()
  const [query] = useSearchParams()
  const wanted = useDeferredValue(query)
  const all = isCleared ? [] : (value ?? [])
  const shown = all.filter(isWanted(wanted)).sort((a, b) => b.last_at_ms - a.last_at_ms)
  return (
    <div className="stack">
      <Tools all={all} onClear={() => clear(all.length)} />
      {problem && <ProblemNote problem={problem} />}
      {refused && <ProblemNote title="The history is as it was." problem={refused} />}
      {shown.length > 0 && <Table shown={shown} />}
      {value && all.length === 0 && <Empty>Nothing has gone wrong since the history was cleared.</Empty>}
      {all.length > 0 && shown.length === 0 && (
        <Empty
          action={
            <Link className="button" href="/errors">
              Show all
            </Link>
          }
        >
          None of {counted(all.length, 'error')} has these words.
        </Empty>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </div>
  )
}
