// How much the service writes into its log: of all parts, and of single ones.
import { useState } from 'react'
import { api, ask } from '../../../api/client.ts'
import { partName } from '../../../parts/part-names.ts'
import { Card, Field, WriteNote } from '../../../parts/parts.tsx'
import { LEVELS, type LogLevel, type LogSources, logSources } from '../../../state/logs.ts'
import { useWrite } from '../../../state/write.ts'

const WORDS: Readonly<Record<LogLevel, string>> = {
  error: 'only errors',
  warn: 'warnings, too',
  info: 'what happens',
  debug: 'every detail',
}

interface LevelProps {
  readonly name: string
  readonly value: LogLevel | null
  readonly none: string
  readonly onChoose: (level: LogLevel | null) => void
}

const LevelField = ({ name, value, none, onChoose }: LevelProps) => (
  <Field name={name}>
    {(id) => (
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChoose((target.value || null) as LogLevel | null)}
      >
        <option value="">{none}</option>
        {LEVELS.map((level) => (
          <option key={level} value={level}>
            {WORDS[level]}
          </option>
        ))}
      </select>
    )}
  </Field>
)

type Change = { readonly level?: LogLevel | null; readonly parts?: Readonly<Record<string, LogLevel | null>> }

export const LevelsCard = ({ sources }: { readonly sources: LogSources }) => {
  const { state, write, clear } = useWrite()
  const [mine, setMine] = useState<Change>()
  const { revision, level, parts, level_at_start, known_parts } = sources
  const change = async (wanted: Change, isForced = false) => {
    setMine(wanted)
    const body = { ...wanted, ...(!isForced && { expected_revision: revision }) }
    const answer = await write(() => ask(api.PATCH('/v1/device/logs/sources', { body })))
    if (answer.ok) logSources.refresh()
  }
  const shown = [...new Set([...known_parts, ...Object.keys(parts)])].sort()
  return (
    <Card title="How much is logged">
      <div className="card-body stack">
        <LevelField
          name="All parts"
          value={level}
          none={`as at the start: ${WORDS[level_at_start]}`}
          onChoose={(chosen) => void change({ level: chosen })}
        />
        {shown.map((part) => (
          <LevelField
            key={part}
            name={partName(part)}
            value={parts[part] ?? null}
            none="as all parts"
            onChoose={(chosen) => void change({ parts: { [part]: chosen } })}
          />
        ))}
        <WriteNote
          state={state}
          onTakeTheirs={() => {
            clear()
            logSources.refresh()
          }}
          onSetMine={() => void (mine && change(mine, true))}
        />
      </div>
    </Card>
  )
}
