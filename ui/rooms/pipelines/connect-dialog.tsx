// "Connect to ...": every wire that a node can have, to be chosen by keyboard, and of the others why not.
import { useState } from 'react'
import { Button, Dialog, Field } from '../../parts/parts.tsx'
import { useEditor, useGraph } from './editor-context.ts'
import { withEdge } from './graph.ts'
import { type Wire, wiresOf } from './wires.ts'

/** The dialog. */
export const ConnectDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { edit, types, say } = useEditor()
  const graph = useGraph(edit)
  const [wanted, setWanted] = useState('')
  const all = wiresOf(graph, types, id).filter(({ from, to }) => `${from} ${to}`.includes(wanted.trim()))
  const [fitting, others] = [all.filter(({ why }) => why === undefined), all.filter(({ why }) => why !== undefined)]
  const draw = ({ from, to }: Wire) => {
    edit.trigger.changed({ graph: withEdge(graph, from, to) })
    say(`${from} is connected to ${to}.`)
    onClose()
  }
  return (
    <Dialog title={`Connect ${id} to`} onClose={onClose}>
      <Field name="Search">
        {(input) => (
          <input
            id={input}
            className="input"
            type="search"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        )}
      </Field>
      {fitting.length === 0 && <p className="hint">No other node fits. Add one that takes or gives the same.</p>}
      <ul className="connect-list" aria-label="Wires that fit">
        {fitting.map((wire) => (
          <li key={`${wire.from} ${wire.to}`}>
            <Button onClick={() => draw(wire)}>
              {wire.from} to {wire.to}
            </Button>
            {wire.instead !== undefined && <span className="hint">in place of {wire.instead}</span>}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{others.length} that do not fit, and why</summary>
          <ul className="connect-list">
            {others.map(({ from, to, why }) => (
              <li key={`${from} ${to}`} className="hint">
                {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
