// The types of nodes, to be added to the graph.
import { useState } from 'react'
import { Field } from '../../parts/parts.tsx'
import { useEditor } from './editor-context.ts'
import type { NodeType } from './graph.ts'

const CATEGORIES: readonly (readonly [category: NodeType['category'], name: string])[] = [
  ['source', 'Camera'],
  ['image', 'Pictures'],
  ['tags', 'Tags'],
  ['colour', 'Colour'],
  ['learned', 'Models'],
  ['plugins', 'Plugins'],
  ['other', 'Other'],
]

const fits = ({ type, description }: NodeType, wanted: string): boolean =>
  `${type} ${description}`.toLowerCase().includes(wanted.trim().toLowerCase())

/** All types by category, with a search. */
export const Palette = ({ onAdd }: { readonly onAdd: (type: string) => void }) => {
  const { types } = useEditor()
  const [wanted, setWanted] = useState('')
  const found = [...types.values()].filter((type) => fits(type, wanted))
  return (
    <section className="card palette" aria-label="Nodes to add">
      <Field name="Add a node">
        {(id) => (
          <input
            id={id}
            className="input"
            type="search"
            placeholder="tags, mask, blur"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        )}
      </Field>
      {found.length === 0 && <p className="hint">No node is called so.</p>}
      {CATEGORIES.map(([category, name]) => {
        const types = found.filter((type) => type.category === category)
        return (
          types.length > 0 && (
            <div key={category}>
              <h2>{name}</h2>
              <ul>
                {types.map(({ type, description, availability }) => (
                  <li key={type}>
                    <button
                      type="button"
                      className="palette-node"
                      title={availability.reason ? `${description} ${availability.reason}.` : description}
                      disabled={!availability.available}
                      onClick={() => onAdd(type)}
                    >
                      {type}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )
        )
      })}
    </section>
  )
}
