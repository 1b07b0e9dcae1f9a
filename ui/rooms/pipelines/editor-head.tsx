// The head of the editor: what is edited, whether it can run, and what can be done with all of it.
import { LayoutGrid, Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button, Pill } from '../../parts/parts.tsx'
import { counted } from '../../words.ts'
import { useEdited, useEditor } from './editor-context.ts'
import { SaveButton, type useSave } from './save.tsx'
import type { Subject } from './subject.ts'

interface HeadProps {
  readonly subject: Subject
  readonly saving: ReturnType<typeof useSave>
  readonly onLayOut: () => void
  readonly children: ReactNode
}

/** The head. */
export const Head = ({ subject, saving, onLayOut, children }: HeadProps) => {
  const { edit } = useEditor()
  const hasPast = useEdited(edit, ({ history }) => history.past.length > 0 || history.held !== undefined)
  const hasFuture = useEdited(edit, ({ history }) => history.future.length > 0)
  return (
    <div className="page-head">
      <nav aria-label="Where this is" className="row">
        <Link href="/pipelines">Pipelines</Link>
        <span aria-hidden>/</span>
      </nav>
      <h1>{subject.name}</h1>
      <Verdict />
      <div className="right">
        <Button
          icon={<Undo2 size={18} aria-hidden />}
          aria-label="Undo"
          title="Ctrl+Z"
          disabled={!hasPast}
          onClick={() => edit.trigger.undone()}
        />
        <Button
          icon={<Redo2 size={18} aria-hidden />}
          aria-label="Redo"
          title="Ctrl+Shift+Z"
          disabled={!hasFuture}
          onClick={() => edit.trigger.redone()}
        />
        <Button className="button only-wide" icon={<LayoutGrid size={18} aria-hidden />} onClick={onLayOut}>
          Lay out
        </Button>
        {children}
        <SaveButton saving={saving} remote={subject.remote} />
      </div>
    </div>
  )
}

const Verdict = () => {
  const { checked } = useEditor()
  const { report } = checked
  if (!report) return null
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error').length
  return report.runnable ? <Pill tone="good">can run</Pill> : <Pill tone="bad">{counted(errors, 'error')}</Pill>
}
