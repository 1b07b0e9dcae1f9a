// What one is doing to a pipeline: the graph as it is on the page, each step of how it came there, and the graph as it
// is stored, which others change too.
import { createStore } from '@xstate/store'
import { doesSame, type Graph, isSameGraph, type NodeTypes } from './graph.ts'
import { changed, dragged, type History, letGo, redone, startHistory, undone } from './history.ts'

/** A graph as the service has it. */
export interface Saved {
  readonly graph: Graph
  readonly revision: number
}

/** What the editor knows. */
export interface Edited {
  readonly history: History<Graph>
  /** What the changes on the page began with. */
  readonly base: Saved
  /** What somebody else has stored since, while there are changes on the page that are not stored. */
  readonly theirs: Saved | undefined
  /** What is on its way to be stored. */
  readonly sent?: Graph
}

/** The graph as it is on the page. */
export const graphOf = ({ history }: Edited): Graph => history.now

/** Whether there is something to be stored. */
export const isDirty = ({ history, base }: Edited, types: NodeTypes): boolean =>
  !isSameGraph(history.now, base.graph, types)

/** What the service has is another one now. */
export const heard = (edited: Edited, saved: Saved, types: NodeTypes): Edited => {
  const { history, base, theirs } = edited
  if (saved.revision <= Math.max(base.revision, theirs?.revision ?? 0)) return edited
  const ours = [history.now, base.graph, ...(edited.sent ? [edited.sent] : [])]
  if (ours.some((each) => isSameGraph(saved.graph, each, types))) return { history, base: saved, theirs: undefined }
  if (isDirty(edited, types) || history.held !== undefined) return { ...edited, theirs: saved }
  return { history: changed(history, saved.graph), base: saved, theirs: undefined }
}

/** Makes the state of an editor. types: by which is told whether two graphs do the same. */
export const createEdit = (saved: Saved, types: NodeTypes) =>
  createStore({
    context: { history: startHistory(saved.graph), base: saved, theirs: undefined } as Edited,
    on: {
      changed: (edited, { graph }: { graph: Graph }) => withHistory(edited, changed(edited.history, graph)),
      dragged: (edited, { graph }: { graph: Graph }) => withHistory(edited, dragged(edited.history, graph)),
      letGo: (edited) =>
        withHistory(
          edited,
          letGo(edited.history, (a, b) => doesSame(a, b, types)),
        ),
      undone: (edited) => withHistory(edited, undone(edited.history)),
      redone: (edited) => withHistory(edited, redone(edited.history)),
      heard: (edited, { saved }: { saved: Saved }) => heard(edited, saved, types),
      /** It is being sent to the service, which may tell of it before it answers. */
      sending: (edited, { graph }: { graph: Graph }) => ({ ...edited, sent: graph }),
      /** The service has taken what was on the page then. */
      stored: ({ history }, { saved }: { saved: Saved }) => ({ history, base: saved, theirs: undefined }),
      tookTheirs: ({ history, base, theirs }) => ({
        history: theirs ? changed(history, theirs.graph) : history,
        base: theirs ?? base,
        theirs: undefined,
      }),
      /** What is on the page is to replace what they have stored. */
      keptMine: ({ history, base, theirs }) => ({ history, base: theirs ?? base, theirs: undefined }),
    },
  })
export type Edit = ReturnType<typeof createEdit>

const withHistory = (edited: Edited, history: History<Graph>): Edited =>
  history === edited.history ? edited : { ...edited, history }
