// What the parts of the editor share.
import { useSelector } from '@xstate/store-react'
import { createContext, useContext } from 'react'
import type { Edit, Edited } from './edit.ts'
import type { Graph, NodeTypes } from './graph.ts'
import type { Checked } from './report.ts'
import type { ChosenNodes } from './use-nodes-chosen.ts'

/** What every part of the editor may look at, and by which it changes the graph. */
export interface EditorParts {
  readonly edit: Edit
  readonly types: NodeTypes
  readonly checked: Checked
  /** The node whose form is open: the only one that is chosen. */
  readonly chosen: string | undefined
  readonly choose: (id: string | undefined) => void
  /** All nodes that are chosen. */
  readonly selected: readonly string[]
  readonly select: (ids: readonly string[]) => void
  /** What is done with all of them. */
  readonly nodes: ChosenNodes
  /** Opens "Connect to ..." of a node. */
  readonly connectFrom: (id: string) => void
  /** Says something, aloud as well. */
  readonly say: (text: string) => void
}

export const EditorContext = createContext<EditorParts | undefined>(undefined)

export const useEditor = (): EditorParts => {
  const parts = useContext(EditorContext)
  if (!parts) throw new Error('there is no editor around this')
  return parts
}

/** A part of what is edited. */
export const useEdited = <Part>(edit: Edit, part: (edited: Edited) => Part): Part =>
  useSelector(edit, ({ context }) => part(context))

/** The graph as it is on the page. */
export const useGraph = (edit: Edit): Graph => useEdited(edit, ({ history }) => history.now)
