// Storing what is on the page, and what to do when somebody else has stored something meanwhile.
import { Save } from 'lucide-react'
import { useCallback } from 'react'
import { Button, WriteNote } from '../../parts/parts.tsx'
import { useWrite } from '../../state/write.ts'
import { isDirty } from './edit.ts'
import { useEdited, useEditor } from './editor-context.ts'
import { differencesOf } from './graph.ts'
import type { RemoteSubject, Subject } from './subject.ts'

/** Stores it, and says what came of that. */
export const useSave = (subject: Subject) => {
  const { edit } = useEditor()
  const { state, write, clear } = useWrite({ target: subject.remote?.device, heeds: subject.heeds })
  const save = useCallback(async () => {
    const { history, base } = edit.getSnapshot().context
    const graph = history.now
    edit.trigger.sending({ graph })
    const answer = await write(() => subject.save(graph, base))
    if (answer.ok) edit.trigger.stored({ saved: { graph, revision: answer.revision ?? base.revision } })
  }, [edit, subject, write])
  return { state, save, clear }
}

interface SaveButtonProps {
  readonly saving: ReturnType<typeof useSave>
  /** Where it is kept, if not on this device. */
  readonly remote: RemoteSubject | undefined
}

/** The button with what became of the last time. */
export const SaveButton = ({ saving, remote }: SaveButtonProps) => {
  const { edit, types } = useEditor()
  const isChanged = useEdited(edit, (edited) => isDirty(edited, types))
  const revision = useEdited(edit, ({ base }) => base.revision)
  return (
    <>
      <Button
        kind="main"
        icon={<Save size={18} aria-hidden />}
        disabled={!isChanged || remote?.isFixed === true || saving.state.state === 'pending'}
        title="Ctrl+S"
        onClick={() => void saving.save()}
      >
        Save
      </Button>
      <span className="hint">
        {isChanged ? `changed since revision ${revision}` : `revision ${revision}`}
        {remote && ` on ${remote.device}`}
      </span>
    </>
  )
}

/** What somebody else has stored, against what is on the page. */
export const Theirs = ({ saving }: { readonly saving: ReturnType<typeof useSave> }) => {
  const { edit, types } = useEditor()
  const theirs = useEdited(edit, (edited) => edited.theirs)
  const mine = useEdited(edit, ({ history }) => history.now)
  if (!theirs) return ['idle', 'conflict'].includes(saving.state.state) ? null : <WriteNote state={saving.state} />
  const differences = differencesOf(theirs.graph, mine, types)
  return (
    <section className="alert" data-tone="busy" role="status" aria-label="Changed by somebody else">
      <div className="stack">
        <p>
          <strong>Somebody else changed it.</strong> Revision {theirs.revision} is stored, and your changes are not.
        </p>
        {differences.length === 0 ? (
          <p>Only places of nodes differ.</p>
        ) : (
          <div className="scroll-x">
            <table>
              <thead>
                <tr>
                  <th>What</th>
                  <th>Theirs</th>
                  <th>Yours</th>
                </tr>
              </thead>
              <tbody>
                {differences.map(({ what, theirs, mine }) => (
                  <tr key={what}>
                    <td>{what}</td>
                    <td>{theirs ?? 'not there'}</td>
                    <td>{mine ?? 'not there'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className="row">
          <Button
            onClick={() => {
              saving.clear()
              edit.trigger.tookTheirs()
            }}
          >
            Take theirs
          </Button>
          <Button
            onClick={() => {
              edit.trigger.keptMine()
              void saving.save()
            }}
          >
            Set mine
          </Button>
        </div>
      </div>
    </section>
  )
}
