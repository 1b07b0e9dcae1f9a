// What can be done with several nodes at once.
import { ClipboardCopy, CopyPlus, Trash2 } from 'lucide-react'
import { Button } from '../../parts/parts.tsx'
import { counted } from '../../words.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { nodeOf } from './graph.ts'

/** The nodes that are chosen, and the buttons. */
export const NodesForm = () => {
  const { edit, selected, choose, nodes } = useEditor()
  const graph = useGraph(edit)
  return (
    <section className="stack node-form" aria-label="Chosen nodes">
      <h2>{counted(selected.length, 'node')}</h2>
      <div className="row">
        <Button icon={<CopyPlus size={18} aria-hidden />} title="Ctrl+D" onClick={nodes.duplicate}>
          Duplicate
        </Button>
        <Button icon={<ClipboardCopy size={18} aria-hidden />} title="Ctrl+C" onClick={nodes.copy}>
          Copy
        </Button>
        <Button icon={<Trash2 size={18} aria-hidden />} title="Delete" onClick={nodes.remove}>
          Delete
        </Button>
      </div>
      <p className="hint">
        Drag one to move all of them, or use the arrow keys. Ctrl+C copies them and Ctrl+V puts them in, also into
        another pipeline. Shift and a press, or Space, takes one more or less; Escape lets go.
      </p>
      <ul className="list" aria-label="Chosen">
        {selected.map((id) => (
          <li key={id}>
            <Button kind="plain" onClick={() => choose(id)}>
              {id}
            </Button>
            <span className="hint">{nodeOf(graph, id)?.type}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
