// What the planner says about the graph on the page.
import { useEffect, useState } from 'react'
import type { Documents, Problem } from '../../api/client.ts'
import type { Graph } from './graph.ts'
import { checkGraph } from './stored.ts'

export type Report = Documents['PlannerReport']
export type Diagnostic = Documents['Diagnostic']

/** What is known of a graph. */
export interface Checked {
  /** Of the newest graph that was checked; undefined: none was. */
  readonly report: Report | undefined
  readonly problem: Problem | undefined
  /** Whether what is on the page is another graph by now. */
  readonly isOld: boolean
}

const GATHER_MS = 120 // while something is typed or dragged

/** Asks about a graph whenever it is another one. streamId: the stream that would run it. */
export const useReport = (graph: Graph, streamId: string | undefined): Checked => {
  const [checked, setChecked] = useState<Checked & { readonly of?: Graph }>({
    report: undefined,
    problem: undefined,
    isOld: true,
  })
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answer = await checkGraph(graph, streamId)
      if (!isCurrent) return
      setChecked((before) =>
        answer.ok
          ? { report: answer.value, problem: undefined, isOld: false, of: graph }
          : { ...before, problem: answer.problem },
      )
    }, GATHER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [graph, streamId])
  return { ...checked, isOld: checked.of !== graph }
}
