// A shell on the device: `/console`, `/console?session=3f9a12bc-1`.
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Alert, Button, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import {
  type ConsoleProgram,
  type ConsoleSession,
  consoleSessions,
  deviceConsole,
  endConsole,
  startConsole,
} from '../../state/console.ts'
import { session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { askForToken } from '../../state/sign-in.ts'
import { useWrite } from '../../state/write.ts'
import { TerminalView } from './terminal.tsx'

const PROGRAMS: Readonly<Record<ConsoleProgram, string>> = {
  shell: 'Open a shell',
  top: 'Watch the processes',
  log: 'Follow the log of the service',
}

const NAMES: Readonly<Record<ConsoleProgram, string>> = { shell: 'Shell', top: 'Processes', log: 'Log' }

const numberOf = ({ session_id }: ConsoleSession): string => session_id.replace(/^.*-/, '')

const attachedWord = ({ attached_from }: ConsoleSession): string =>
  attached_from === null ? 'nobody is attached' : `attached from ${attached_from}`

const ConsolePage = () => {
  const device = useKnown(deviceConsole)
  const may = useKnownOf(session, ({ value }) => value?.may)
  return (
    <>
      <div className="page-head">
        <h1>Console</h1>
      </div>
      {device.problem && <ProblemNote problem={device.problem} />}
      {device.value && !device.value.available && (
        <Alert tone="quiet">
          <span className="console-sentence">{device.value.detail}</span>
        </Alert>
      )}
      {device.value?.available && may && !may.includes('console') && (
        <Empty action={<Button onClick={askForToken}>Sign in</Button>}>
          A shell on the device takes the token of the device.
        </Empty>
      )}
      {device.value?.available && may?.includes('console') && (
        <Sessions programs={device.value.programs} user={device.value.user} />
      )}
      {!device.value && !device.problem && <p className="hint">Loading</p>}
    </>
  )
}

const Sessions = ({ programs, user }: { readonly programs: readonly ConsoleProgram[]; readonly user: string }) => {
  const { value: sessions = [], problem } = useKnown(consoleSessions)
  const [query, setQuery] = useSearchParams()
  const { state, write } = useWrite()
  const wanted = query.get('session')
  const chosen = sessions.find(({ session_id }) => session_id === wanted)
  const [shown, setShown] = useState<ConsoleSession>() // also when it has ended: its last lines say why
  useEffect(() => {
    if (chosen && chosen.session_id !== shown?.session_id) setShown(chosen)
  }, [chosen, shown])
  const start = async (program: ConsoleProgram) => {
    const answer = await write(() => startConsole(program))
    if (!answer.ok) return
    setShown(answer.value)
    setQuery({ session: answer.value.session_id })
  }
  const list = useRef<HTMLUListElement>(null)
  const leave = () => list.current?.querySelector<HTMLElement>('button')?.focus()
  return (
    <Card label="Console sessions">
      <div className="card-body stack">
        <div className="row">
          {programs.map((program) => (
            <Button
              key={program}
              {...(program === 'shell' && { kind: 'main' as const })}
              disabled={state.state === 'pending'}
              onClick={() => void start(program)}
            >
              {PROGRAMS[program]}
            </Button>
          ))}
          <span className="hint">
            As the user {user}. What you start ends with its session. Each start, end and attach is in the log.
          </span>
        </div>
        {problem && <ProblemNote problem={problem} />}
        {state.state === 'refused' && <ProblemNote problem={state.problem} />}
        {sessions.length > 0 && (
          <ul className="console-list" aria-label="Sessions" ref={list}>
            {sessions.map((each) => (
              <SessionLine
                key={each.session_id}
                session={each}
                isShown={each.session_id === wanted}
                onAttach={() => setQuery({ session: each.session_id })}
              />
            ))}
          </ul>
        )}
        {shown && shown.session_id === wanted && (
          <TerminalView key={shown.session_id} session={shown} onLeave={leave} />
        )}
      </div>
    </Card>
  )
}

interface SessionLineProps {
  readonly session: ConsoleSession
  readonly isShown: boolean
  readonly onAttach: () => void
}

const SessionLine = ({ session: each, isShown, onAttach }: SessionLineProps) => {
  const { state, write } = useWrite()
  const name = `${NAMES[each.program]} ${numberOf(each)}`
  return (
    <li className="row" aria-current={isShown || undefined}>
      <strong>{name}</strong>
      <Pill tone={each.state === 'open' ? 'good' : 'quiet'}>{attachedWord(each)}</Pill>
      {!isShown && <Button onClick={onAttach}>Attach to {name}</Button>}
      <Button
        kind="danger"
        disabled={state.state === 'pending'}
        onClick={() => void write(() => endConsole(each.session_id))}
      >
        End {name}
      </Button>
      {state.state === 'refused' && <ProblemNote problem={state.problem} />}
    </li>
  )
}

export default ConsolePage
