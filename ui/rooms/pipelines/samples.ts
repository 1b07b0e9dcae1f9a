// What the nodes give just now: the results of the frame that is on the screen, in words.
import { useCallback, useMemo, useState } from 'react'
import type { FrameFacts } from '../../pictures/live-picture.tsx'
import { useEditor, useGraph } from './editor-context.ts'
import type { Graph } from './graph.ts'
import { wordsOf } from './sample-words.ts'

/**
 * By the reference of the port that they come from. running: the outputs of the pipeline that runs. hear: what is told
 * of each frame.
 */
export const useSamples = (running: Graph['outputs'] | undefined) => {
  const { edit } = useEditor()
  const graph = useGraph(edit)
  const [outputs, setOutputs] = useState<FrameFacts['outputs']>({})
  const hear = useCallback((facts: FrameFacts) => setOutputs(facts.outputs), [])
  const samples = useMemo(() => {
    const isRunning = (port: string, from: string) =>
      running?.some((output) => output.port === port && output.from === from) === true
    return new Map(
      graph.outputs.flatMap(({ port, from }) => {
        const found = outputs[port]
        return found && isRunning(port, from) ? [[from, wordsOf(found)] as const] : []
      }),
    )
  }, [graph, running, outputs])
  return { samples, hear }
}
