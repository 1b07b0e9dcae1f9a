// The form of a node: its name, its parameters, where its values go.
import { Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button, Empty, Field } from '../../parts/parts.tsx'
import { type How, SchemaForm } from '../../parts/schema-form.tsx'
import type { Schema } from '../../parts/schema-words.ts'
import { useEditor, useGraph } from './editor-context.ts'
import {
  freeOutput,
  nodeOf,
  type Params,
  paramsOf,
  partsOf,
  refOf,
  withOtherId,
  withOutput,
  withoutEdge,
  withoutNode,
  withParams,
} from './graph.ts'
import { Problems } from './problems.tsx'
import { formatOf, markOf } from './wires.ts'

const ID = /^[a-z][a-z0-9_-]{0,39}$/

/** The form. */
export const NodeForm = ({ id }: { readonly id: string }) => {
  const { edit, types, choose, connectFrom } = useEditor()
  const graph = useGraph(edit)
  const node = nodeOf(graph, id)
  if (!node) return <Empty>Choose a node to see what can be set of it.</Empty>
  const type = types.get(node.type)
  const setParams = (params: Params, how: How) => {
    const next = withParams(edit.getSnapshot().context.history.now, id, params)
    if (how === 'drag') edit.trigger.dragged({ graph: next })
    else edit.trigger.changed({ graph: next })
  }
  const schema = (type?.params ?? {}) as Schema
  return (
    <section className="stack node-form" aria-label={`Form of ${id}`}>
      <header className="row">
        <h2 className="grow">{id}</h2>
        <Button onClick={() => connectFrom(id)}>Connect to ...</Button>
        <Button
          icon={<Trash2 size={18} aria-hidden />}
          aria-label={`Delete ${id}`}
          onClick={() => {
            edit.trigger.changed({ graph: withoutNode(graph, id) })
            choose(undefined)
          }}
        />
      </header>
      <p className="hint">{type ? type.description : `This device has no nodes of the type ${node.type}.`}</p>
      <Problems node={id} />
      {Object.keys(schema.properties ?? {}).length > 0 && (
        <SchemaForm
          key={id}
          schema={schema}
          value={paramsOf(node, types)}
          onChange={setParams}
          noteOf={(key) => type?.live.includes(key) && <p className="hint live">applies without restart</p>}
        />
      )}
      <Ports id={id} />
      <NameOfNode id={id} />
    </section>
  )
}

/** What it reads, and where its values go. */
const Ports = ({ id }: { readonly id: string }) => {
  const { edit, types } = useEditor()
  const graph = useGraph(edit)
  const type = types.get(nodeOf(graph, id)?.type ?? '')
  const edges = graph.edges.filter(({ from, to }) => [from, to].some((ref) => partsOf(ref).node === id))
  return (
    <>
      {edges.length > 0 && (
        <div>
          <h3>Wires</h3>
          <ul className="wires">
            {edges.map((edge) => (
              <li key={`${edge.from} ${edge.to}`} className="row">
                <span className="grow">
                  {edge.from} to {edge.to}
                </span>
                <Button
                  kind="plain"
                  icon={<X size={18} aria-hidden />}
                  aria-label={`Take away the wire from ${edge.from} to ${edge.to}`}
                  onClick={() => edit.trigger.changed({ graph: withoutEdge(graph, edge) })}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {type && type.outputs.length > 0 && (
        <div>
          <h3>Outputs of the pipeline</h3>
          <ul className="wires">
            {type.outputs.map((port) => {
              const ref = refOf(id, port.name)
              return <OutputOf key={ref} ref_={ref} word={markOf(port, formatOf(graph, types, ref)).word} />
            })}
          </ul>
        </div>
      )}
    </>
  )
}

/** Under which names the values of a port leave the pipeline. */
const OutputOf = ({ ref_, word }: { readonly ref_: string; readonly word: string }) => {
  const { edit, say } = useEditor()
  const graph = useGraph(edit)
  const { port } = partsOf(ref_)
  const names = graph.outputs.filter(({ from }) => from === ref_).map((output) => output.port)
  const [typed, setTyped] = useState('')
  const add = () => {
    const name = typed.trim() || freeOutput(graph, port)
    if (!ID.test(name)) return say('The name of an output has lower-case letters, digits, - and _.')
    if (graph.outputs.some((output) => output.port === name)) return say(`There is an output ${name} already.`)
    edit.trigger.changed({ graph: withOutput(graph, name, ref_) })
    setTyped('')
  }
  return (
    <li>
      <div className="row">
        <span>
          {port} <span className="hint">{word}</span>
        </span>
        {names.map((name) => (
          <Button
            key={name}
            aria-label={`Take away the output ${name}`}
            title="Take it away"
            onClick={() => edit.trigger.changed({ graph: withOutput(graph, name, null) })}
          >
            {name} ×
          </Button>
        ))}
      </div>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <input
          className="input grow"
          aria-label={`Name of an output of ${ref_}`}
          placeholder={freeOutput(graph, port)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit">Send out</Button>
      </form>
    </li>
  )
}

const NameOfNode = ({ id }: { readonly id: string }) => {
  const { edit, choose, say } = useEditor()
  const graph = useGraph(edit)
  const [typed, setTyped] = useState(id)
  const rename = () => {
    if (typed === id) return
    if (!ID.test(typed)) return say('The name of a node has lower-case letters, digits, - and _.')
    if (nodeOf(graph, typed)) return say(`There is a node ${typed} already.`)
    edit.trigger.changed({ graph: withOtherId(graph, id, typed) })
    choose(typed)
  }
  return (
    <Field name="Name of the node">
      {(input) => (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            rename()
          }}
        >
          <input
            id={input}
            className="input grow"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" disabled={typed === id}>
            Rename
          </Button>
        </form>
      )}
    </Field>
  )
}
