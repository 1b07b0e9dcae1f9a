// The small parts that pages are made of.
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Problem } from '../api/client.ts'
import type { WriteState } from '../state/write.ts'
import { figureOf, shownState, spanOf, type Tone } from '../words.ts'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** main: what one came for; one on a page. danger: what cannot be taken back. plain: without a frame. */
  readonly kind?: 'main' | 'danger' | 'plain'
  /** Shown before the text; alone when there is none, and then `aria-label` says what it does. */
  readonly icon?: ReactNode
}

/**
 * A button. One that is disabled does nothing, but keeps the focus of the keyboard, which a browser takes from a button
 * of its own `disabled`: most are so only until what they were pressed for is done.
 */
export const Button = ({ kind, icon, children, disabled = false, onClick, ...rest }: ButtonProps) => {
  const isDisabled = disabled || rest['aria-disabled'] === true
  return (
    <button
      type="button"
      className="button"
      data-kind={kind}
      data-size={children ? undefined : 'icon'}
      {...rest}
      aria-disabled={isDisabled || undefined}
      onClick={(event) => {
        if (isDisabled)
          event.preventDefault() // nor does it send the form that it belongs to
        else onClick?.(event)
      }}
    >
      {icon}
      {children}
    </button>
  )
}

/** A state in a word, a colour and a shape. state: the interface's own word, which is its tooltip. */
export const State = ({ state, children }: { readonly state: string; readonly children?: ReactNode }) => {
  const { word, tone } = shownState(state)
  return (
    <span className="pill" data-tone={tone} title={state}>
      {children ?? word}
    </span>
  )
}

/** A word with a tone. */
export const Pill = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className="pill" data-tone={tone}>
    {children}
  </span>
)

/** A card with a head. as: the level of its heading. */
export const Card = ({
  title,
  side,
  children,
  label,
}: {
  readonly title?: ReactNode
  /** On the right of the head. */
  readonly side?: ReactNode
  readonly children?: ReactNode
  /** Of a card without a title, for those who do not see it. */
  readonly label?: string
}) => (
  <section className="card" aria-label={label}>
    {title !== undefined && (
      <header>
        <h2>{title}</h2>
        {side}
      </header>
    )}
    {children}
  </section>
)

interface FigureProps {
  readonly name: ReactNode
  /** null: not known. */
  readonly value: number | string | null | undefined
  readonly digits?: number
  readonly unit?: string
  /** Below it, small: its uncertainty. */
  readonly under?: ReactNode
  readonly size?: 'large'
}

/** One figure in a `Figures`. */
export const Figure = ({ name, value, digits, unit, under, size }: FigureProps) => (
  <div className="figure" data-size={size}>
    <dt>{name}</dt>
    <dd>
      {typeof value === 'string' ? value : figureOf(value, digits)}
      {unit !== undefined && typeof value === 'number' && <span className="unit">{unit}</span>}
      {under !== undefined && <div className="under">{under}</div>}
    </dd>
  </div>
)

/** Figures side by side. */
export const Figures = ({ children }: { readonly children: ReactNode }) => <dl className="figures">{children}</dl>

/** What the service says that went wrong: its sentence, and behind a click its code. */
export const ProblemNote = ({ problem, title }: { readonly problem: Problem; readonly title?: string }) => (
  <div className="problem" role="alert">
    {title !== undefined && <strong>{title} </strong>}
    {problem.detail}
    <details>
      <summary>Details</summary>
      <code>{problem.code}</code>
      {problem.context && <pre>{JSON.stringify(problem.context, null, 2)}</pre>}
    </details>
  </div>
)

/**
 * What became of a change, beside the control that asked for it. onTakeTheirs, onSetMine: for one that came too late.
 */
export const WriteNote = ({
  state,
  onTakeTheirs,
  onSetMine,
  theirs,
  mine,
}: {
  readonly state: WriteState
  readonly onTakeTheirs?: () => void
  readonly onSetMine?: () => void
  readonly theirs?: ReactNode
  readonly mine?: ReactNode
}) => (
  <div className="write" data-state={state.state} aria-live="polite">
    {state.state === 'pending' && 'on its way'}
    {state.state === 'applied' && `applied${state.target ? ` on ${state.target}` : ''}${revisionIn(state)}`}
    {state.state === 'refused' && <ProblemNote problem={state.problem} />}
    {state.state === 'conflict' && (
      <div className="row">
        <span>
          Somebody else changed it.
          {theirs !== undefined && <> Theirs: {theirs}.</>}
          {mine !== undefined && <> Yours: {mine}.</>}
        </span>
        {onTakeTheirs && <Button onClick={onTakeTheirs}>Take theirs</Button>}
        {onSetMine && <Button onClick={onSetMine}>Set mine</Button>}
      </div>
    )}
  </div>
)

const revisionIn = ({ revision }: { readonly revision: number | null }): string =>
  revision === null ? '' : `, revision ${revision}`

/** What is wrong or wants attention, with what to do. */
export const Alert = ({
  tone,
  icon,
  children,
  action,
}: {
  readonly tone: Tone
  readonly icon?: ReactNode
  readonly children: ReactNode
  readonly action?: ReactNode
}) => (
  <div className="alert" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
    {icon}
    <div>{children}</div>
    {action}
  </div>
)

/** Where nothing is: one sentence and the one thing to press. */
export const Empty = ({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
)

/** How long ago something was; goes on by itself. */
export const Age = ({ sinceMs }: { readonly sinceMs: number }) => {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return <>{spanOf(Date.now() - sinceMs)}</>
}

interface Tab {
  readonly id: string
  readonly name: ReactNode
  readonly content: () => ReactNode
}

/** Tabs, of which only the chosen one is made. Arrow keys move. */
export const Tabs = ({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}) => {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  )
  const current = tabs[at]
  const move = (by: number) => {
    const next = tabs[(at + by + tabs.length) % tabs.length]
    if (!next) return
    onChoose(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${base}${next.id}`)}`)?.focus()
  }
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            id={`${base}${id}`}
            type="button"
            role="tab"
            aria-selected={id === current?.id}
            aria-controls={`${base}panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => onChoose(id)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1)
              if (key === 'ArrowLeft') move(-1)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}panel`} aria-labelledby={current && `${base}${current.id}`}>
        {current?.content()}
      </div>
    </div>
  )
}

/** A dialog over the page, closed with Escape too. isRequired: nothing can be done without it, so it comes back. */
export const Dialog = ({
  title,
  children,
  onClose,
  isRequired = false,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly isRequired?: boolean
}) => {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={ref} aria-labelledby={titleId} onClose={isRequired ? () => ref.current?.showModal() : onClose}>
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** A control with its name, its unit and what became of its last change. children gets the id of the control. */
export const Field = ({
  name,
  hint,
  unit,
  note,
  children,
}: {
  readonly name: ReactNode
  readonly hint?: ReactNode
  readonly unit?: string
  readonly note?: ReactNode
  readonly children: (id: string, describedBy: string | undefined) => ReactNode
}) => {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}hint`
  return (
    <div className="field">
      <label htmlFor={id}>
        {name}
        {unit !== undefined && <span className="unit">{unit}</span>}
      </label>
      {children(id, hintId)}
      {hint !== undefined && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      {note}
    </div>
  )
}
