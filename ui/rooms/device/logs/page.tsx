// The logs of the device: followed live, looked through, and carried away.
import { Download, Pause, Play } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'wouter'
import { browserTimeOf } from '../../../api/device-clock.ts'
import { Alert, Button, Card, Empty, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { LEVELS, type LogLevel, type LogSourceName, logSources } from '../../../state/logs.ts'
import { useQueryChoices } from '../../../state/query-choices.ts'
import { counted, timeOf } from '../../../words.ts'
import { LevelsCard } from './levels-card.tsx'
import { Lines } from './lines.tsx'
import { type LogView, useLog } from './use-log.ts'

const SOURCES: Readonly<Record<LogSourceName, string>> = {
  own: 'this service',
  journal: 'the whole system',
  kernel: 'the kernel',
}
const LEVEL_WORDS: Readonly<Record<LogLevel, string>> = {
  error: 'errors',
  warn: 'errors and warnings',
  info: 'what happens',
  debug: 'all',
}

const isSource = (text: string | null): text is LogSourceName => text !== null && Object.hasOwn(SOURCES, text)
const isLevel = (text: string | null): text is LogLevel => text !== null && Object.hasOwn(LEVEL_WORDS, text)

const viewIn = (query: URLSearchParams): LogView => {
  const [source, level] = [query.get('source'), query.get('level')]
  const [boot, at, text] = [Number(query.get('start')), Number(query.get('at')), query.get('q')]
  return {
    source: isSource(source) ? source : 'own',
    ...(isLevel(level) && { level }),
    ...(boot >= 1 && { boot }),
    ...(text && { text }),
    ...(at > 0 && { aroundMs: at }),
  }
}

/** The time of the device, of a time of this browser. */
const deviceTimeOf = (browserMs: number): number => Math.round(browserMs - browserTimeOf(0))

const downloadOf = (view: LogView, times: Readonly<Record<string, number>> = {}): string => {
  const { source, level, boot, text } = view
  const wanted = { source, level, boot, text, ...times }
  const parts = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `/v1/device/logs/download?${new URLSearchParams(parts)}`
}

/** From midnight to midnight, as people here have it. */
const yesterday = (): { readonly since: number; readonly until: number } => {
  const midnight = new Date()
  midnight.setHours(0, 0, 0, 0)
  const before = new Date(midnight)
  before.setDate(before.getDate() - 1)
  return { since: deviceTimeOf(before.getTime()), until: deviceTimeOf(midnight.getTime()) }
}

interface ToolsProps {
  readonly view: LogView
  readonly isHeld: boolean
  readonly onHold: (isHeld: boolean) => void
}

const Tools = ({ view, isHeld, onHold }: ToolsProps) => {
  const [query, choose] = useQueryChoices()
  const { value: sources } = useKnown(logSources)
  const set = (name: string, value: string) => {
    onHold(false)
    choose(name, value)
  }
  const boots = sources?.boots.toReversed() ?? []
  return (
    <div className="row device-logs-tools">
      <label className="row">
        Of
        <select value={view.source} onChange={({ target }) => set('source', target.value)}>
          {Object.entries(SOURCES).map(([source, word]) => (
            <option key={source} value={source}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        Show
        <select value={view.level ?? 'debug'} onChange={({ target }) => set('level', target.value)}>
          {LEVELS.toReversed().map((level) => (
            <option key={level} value={level}>
              {LEVEL_WORDS[level]}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        Start
        <select value={view.boot ?? ''} onChange={({ target }) => set('start', target.value)}>
          <option value="">any</option>
          {boots.map(({ boot }) => (
            <option key={boot} value={boot}>
              {boot === sources?.boot ? `${boot}, this one` : boot}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        Find
        <input type="search" value={query.get('q') ?? ''} onChange={({ target }) => set('q', target.value)} />
      </label>
      <span className="grow" />
      {view.aroundMs === undefined ? (
        <Button
          icon={isHeld ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
          onClick={() => onHold(!isHeld)}
        >
          {isHeld ? 'Go on' : 'Pause'}
        </Button>
      ) : (
        <Button icon={<Play size={18} aria-hidden />} onClick={() => set('at', '')}>
          Follow live
        </Button>
      )}
    </div>
  )
}

const Downloads = ({ view }: { readonly view: LogView }) => (
  <Card title="Take it along">
    <div className="card-body stack">
      <p className="hint">A file that is packed (gzip). Passwords and tokens are taken out of it.</p>
      <a className="button" href={downloadOf({ source: view.source }, yesterday())} download>
        <Download size={18} aria-hidden /> Yesterday's log
      </a>
      <a className="button" href={downloadOf({ source: view.source })} download>
        <Download size={18} aria-hidden /> All of it
      </a>
      <a className="button" href={downloadOf(view)} download>
        <Download size={18} aria-hidden /> What is chosen here
      </a>
    </div>
  </Card>
)

/** The page. */
export const LogsPage = () => {
  const [query] = useSearchParams()
  const [isHeld, setHeld] = useState(false)
  const view = viewIn(useDeferredValue(query))
  const { aroundMs } = view
  const { value: sources, problem } = useKnown(logSources)
  const { shown, waiting, showOlder, showNewer } = useLog(view, isHeld)
  const { lines, older, newer, lost, absent } = shown
  return (
    <>
      <h1 className="only-read-aloud">Logs</h1>
      <div className="device-page device-logs">
        <Card title="Lines">
          <div className="card-body stack">
            <Tools view={view} isHeld={isHeld} onHold={setHeld} />
            {aroundMs !== undefined && (
              <Alert tone="quiet">These are the lines around {timeOf(browserTimeOf(aroundMs))}.</Alert>
            )}
            {absent !== null && (
              <Alert tone="quiet">
                {lines.length > 0 ? 'No more lines come' : 'There are no lines'}: {absent}.
              </Alert>
            )}
            {shown.problem && <ProblemNote problem={shown.problem} />}
            {older !== undefined && (isHeld || aroundMs !== undefined) && (
              <Button onClick={() => void showOlder(older)}>Show older lines</Button>
            )}
            {lines.length > 0 && (
              <Lines
                lines={lines}
                isFollowing={!isHeld && aroundMs === undefined}
                aroundMs={aroundMs}
                onLeaveEnd={() => setHeld(true)}
              />
            )}
            {lines.length === 0 && shown.isRead && absent === null && <Empty>No line is as you choose.</Empty>}
            {aroundMs !== undefined && newer !== undefined && (
              <Button onClick={() => void showNewer(newer)}>Show newer lines</Button>
            )}
            <p className="hint" role="status">
              {isHeld && `Paused. ${counted(waiting, 'line has', 'lines have')} come since. `}
              {lost > 0 && `${counted(lost, 'line was', 'lines were')} left out here, since they came too fast. `}
            </p>
          </div>
        </Card>
        <div className="stack">
          <Downloads view={view} />
          {problem && <ProblemNote problem={problem} />}
          {sources && <LevelsCard sources={sources} />}
        </div>
      </div>
    </>
  )
}
