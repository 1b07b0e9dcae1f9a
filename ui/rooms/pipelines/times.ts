// How long the nodes take: as the planner estimates it, or as a stream has measured it, which is asked for.
import { useCallback, useMemo, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { type Stream, wantedPipeline } from '../../state/streams.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { doesSame, type Graph } from './graph.ts'
import { timeOfStep } from './sample-words.ts'

interface Measured {
  /** The pipeline that was measured. */
  readonly of: Graph
  readonly times: ReadonlyMap<string, string>
}

/** In words, by the ids of the nodes. measure: asks the stream. */
export const useTimes = (stream: Stream | undefined) => {
  const { checked, edit, types } = useEditor()
  const graph = useGraph(edit)
  const [measured, setMeasured] = useState<Measured>()
  const steps = checked.report?.plan?.steps
  const id = stream?.id
  const of = stream && wantedPipeline(stream)
  const measure = useCallback(async () => {
    if (id === undefined || of === undefined) return
    const answer = await ask(api.GET('/v1/streams/{id}/metrics', { params: { path: { id } } }))
    if (!answer.ok) return
    setMeasured({ of, times: new Map(answer.value.stages_us.map(({ id, p50 }) => [id, timeOfStep(p50)])) })
  }, [id, of])
  const times = useMemo(() => {
    const estimated = (steps ?? []).flatMap(({ nodes, cost_us }) =>
      nodes.slice(0, 1).map((node) => [node, `≈ ${timeOfStep(cost_us)}`] as const),
    )
    const isOfThis = measured !== undefined && doesSame(measured.of, graph, types)
    return new Map([...estimated, ...(isOfThis ? measured.times : [])])
  }, [steps, measured, graph, types])
  return { times, measure }
}
