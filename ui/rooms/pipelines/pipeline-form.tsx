// What belongs to a pipeline as a whole: its name, its outputs, what it takes, and what can be done by keys.
import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, Field, Figure, Figures } from '../../parts/parts.tsx'
import { useEditor, useGraph } from './editor-context.ts'
import { partsOf, withOutput } from './graph.ts'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Tab', 'to the next node, which is chosen'],
  ['Arrows', 'move what is chosen'],
  ['Space', 'takes one more node, or one less'],
  ['Ctrl+A, Escape', 'choose all, none'],
  ['Enter', 'opens its form'],
  ['C', 'connects it to another one'],
  ['Delete', 'takes away what is chosen'],
  ['Ctrl+C, Ctrl+X, Ctrl+V', 'copy, cut, paste, also into another pipeline'],
  ['Ctrl+D', 'duplicates what is chosen'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ['Ctrl+S', 'saves'],
]

/** The form. */
export const PipelineForm = () => {
  const { edit, checked, choose } = useEditor()
  const graph = useGraph(edit)
  const plan = checked.report?.plan
  return (
    <section className="stack node-form" aria-label="Form of the pipeline">
      <NameOfPipeline key={graph.name} />
      {plan && (
        <Figures>
          <Figure name="takes about" value={plan.cost_us / 1000} digits={1} unit="ms" />
          <Figure name="of, at this rate" value={plan.budget_us && plan.budget_us / 1000} digits={1} unit="ms" />
        </Figures>
      )}
      <div>
        <h3>Outputs</h3>
        {graph.outputs.length === 0 && (
          <p className="hint">None yet. Choose a node, and send out what it gives under a name.</p>
        )}
        <ul className="wires">
          {graph.outputs.map(({ port, from }) => (
            <li key={port} className="row">
              <span className="grow">
                <strong>{port}</strong> <span className="hint">from {from}</span>
              </span>
              <Button
                kind="plain"
                aria-label={`Show where ${port} comes from`}
                onClick={() => choose(partsOf(from).node)}
              >
                Show
              </Button>
              <Button
                kind="plain"
                icon={<X size={18} aria-hidden />}
                aria-label={`Take away the output ${port}`}
                onClick={() => edit.trigger.changed({ graph: withOutput(graph, port, null) })}
              />
            </li>
          ))}
        </ul>
      </div>
      <details className="only-wide">
        <summary>By keyboard</summary>
        <dl className="keys">
          {KEYS.map(([keys, what]) => (
            <div key={keys}>
              <dt>{keys}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

const NameOfPipeline = () => {
  const { edit } = useEditor()
  const graph = useGraph(edit)
  const [typed, setTyped] = useState(graph.name ?? '')
  const rename = () => {
    const name = typed.trim()
    if (name === (graph.name ?? '')) return
    const { name: _, ...rest } = graph
    edit.trigger.changed({ graph: name === '' ? rest : { ...rest, name } })
  }
  return (
    <Field name="Name of the pipeline">
      {(id) => (
        <input
          id={id}
          className="input"
          maxLength={60}
          value={typed}
          onBlur={rename}
          onKeyDown={({ key }) => key === 'Enter' && rename()}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Field>
  )
}
