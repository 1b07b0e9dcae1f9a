// The topics of the robot's server as a tree, with their values as they change.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { Alert, Card, Empty, Field, ProblemNote } from '../../parts/parts.tsx'
import { useLookAtTopics, useTopic, useTopics } from '../../state/topics.ts'
import { counted } from '../../words.ts'
import { TopicDetail, WrittenAgo } from './topic-detail.tsx'
import { type TreeRow, treeOf } from './tree.ts'
import { shortValue } from './value-words.ts'

const SHOWN = [
  ['', 'all topics'],
  ['published', 'published by this device'],
  ['read', 'written to this device'],
] as const

/** What is looked for, shown and opened stands in the address. */
const useChoice = () => {
  const [query, setQuery] = useSearchParams()
  const set = (key: string, value: string) =>
    setQuery(
      (before) => {
        if (value === '') before.delete(key)
        else before.set(key, value)
        return before
      },
      { replace: true },
    )
  const open = new Set((query.get('open') ?? '').split(',').filter((path) => path !== ''))
  const toggle = (path: string) => {
    const others = [...open].filter((each) => each !== path)
    set('open', (open.has(path) ? others : [...others, path]).join(','))
  }
  return {
    search: query.get('search') ?? '',
    show: query.get('show') ?? '',
    topic: query.get('topic') ?? '',
    open,
    set,
    toggle,
  }
}

/** The topics that are looked for. */
const useWanted = (search: string, show: string): readonly string[] => {
  const names = useTopics((known) => known.names)
  const all = useTopics((known) => (show === '' ? undefined : known.all))
  return useMemo(() => {
    const words = search.toLowerCase().split(/\s+/)
    return names.filter(
      (name) =>
        words.every((word) => name.toLowerCase().includes(word)) && (show === '' || all?.get(name)?.role === show),
    )
  }, [names, all, search, show])
}

const Folder = ({ row, isOpen, onToggle }: { row: TreeRow; isOpen: boolean; onToggle: () => void }) => (
  <tr>
    <th scope="row" colSpan={4}>
      <button
        type="button"
        className="nt4-folder"
        style={{ paddingInlineStart: `${row.depth}rem` }}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
        {row.name} <span className="hint">{counted(row.count ?? 0, 'topic')}</span>
      </button>
    </th>
  </tr>
)

interface TopicProps {
  readonly row: TreeRow
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Topic = ({ row, isChosen, onChoose }: TopicProps) => {
  const topic = useTopic(row.path)
  if (!topic) return null
  return (
    <tr data-chosen={isChosen || undefined}>
      <th scope="row">
        <button
          type="button"
          className="nt4-topic"
          style={{ paddingInlineStart: `${row.depth + 1.25}rem` }}
          aria-pressed={isChosen}
          title={row.path}
          onClick={onChoose}
        >
          {row.name}
        </button>
      </th>
      <td className="hint">{topic.type}</td>
      <td className="nt4-value">{shortValue(topic)}</td>
      <td className="hint nt4-age">{topic.writtenAtMs === null ? '–' : <WrittenAgo atMs={topic.writtenAtMs} />}</td>
    </tr>
  )
}

const nothing = (hasTopics: boolean, show: string): string => {
  if (!hasTopics) return 'There is no topic yet. What the robot publishes shows here by itself.'
  if (show === 'published') return 'This device publishes nothing that fits.'
  if (show === 'read') return 'Nobody has written anything to this device that fits.'
  return 'No topic is called so.'
}

const Tree = () => {
  const { search, show, topic, open, set, toggle } = useChoice()
  const wanted = useWanted(search, show)
  const hasTopics = useTopics(({ names }) => names.length > 0)
  const isFiltered = search !== '' || show !== ''
  const isOpen = (path: string) => isFiltered !== open.has(path) // what was searched is open, and can be closed
  const { rows, more } = treeOf(wanted, isOpen)
  return (
    <>
      <div className="card-body nt4-filter">
        <Field name="Search">
          {(id) => (
            <input
              id={id}
              className="input"
              type="search"
              value={search}
              onChange={({ target }) => set('search', target.value)}
            />
          )}
        </Field>
        <Field name="Show">
          {(id) => (
            <select id={id} className="input" value={show} onChange={({ target }) => set('show', target.value)}>
              {SHOWN.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <span className="hint" role="status">
          {counted(wanted.length, 'topic')}
        </span>
      </div>
      {topic !== '' && <TopicDetail key={topic} name={topic} onClose={() => set('topic', '')} />}
      {rows.length === 0 ? (
        <Empty>{nothing(hasTopics, show)}</Empty>
      ) : (
        <table className="nt4-tree">
          <thead>
            <tr>
              <th scope="col">Topic</th>
              <th scope="col">Type</th>
              <th scope="col">Value</th>
              <th scope="col">Written</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) =>
              row.count === undefined ? (
                <Topic
                  key={row.path}
                  row={row}
                  isChosen={row.path === topic}
                  onChoose={() => set('topic', row.path === topic ? '' : row.path)}
                />
              ) : (
                <Folder key={row.path} row={row} isOpen={isOpen(row.path)} onToggle={() => toggle(row.path)} />
              ),
            )}
          </tbody>
        </table>
      )}
      {more > 0 && <p className="card-body hint">{counted(more, 'row')} more: search, or close a folder.</p>}
    </>
  )
}

const NOT_LINKED = 'nt4.not_linked' // why, the card of the link says

/** The card. */
export const TopicsCard = () => {
  useLookAtTopics()
  const socket = useTopics((known) => known.socket)
  const server = useTopics((known) => known.server)
  const fault = useTopics((known) => known.fault)
  const leftOut = useTopics((known) => known.leftOut)
  const hasTopics = useTopics(({ names }) => names.length > 0)
  const isOld = server === null && hasTopics
  return (
    <Card title="Topics" side={server !== null && <span className="hint">of {server}</span>}>
      {socket === 'away' && <Alert tone="busy">This device tells no topics now. It is being asked again.</Alert>}
      {server === null && fault && (
        <div className="card-body">
          {fault.code === NOT_LINKED ? (
            <p role="status">There is no link to the robot now.</p>
          ) : (
            <ProblemNote problem={fault} />
          )}
          {isOld && <p>What stands below is as it was when there was a link.</p>}
        </div>
      )}
      {leftOut > 0 && <Alert tone="busy">{counted(leftOut, 'topic')} more are on the server than can be shown.</Alert>}
      {(server !== null || hasTopics) && (
        <div className={isOld ? 'is-old' : undefined}>
          <Tree />
        </div>
      )}
      {server === null && !hasTopics && !fault && <Empty>The server is being asked.</Empty>}
    </Card>
  )
}
