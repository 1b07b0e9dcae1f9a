// What the nodes give just now: the results of the frame that is on the screen, in words.
import { useCallback, useMemo, useState } from 'react'
import type { FrameFacts } from '../../pictures/live-picture.tsx'
import type { Stream } from '../../state/streams.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { wordsOf } from './sample-words.ts'

/** By the reference of the port that they come from. hear: what is told of each frame. */
export const useSamples = (stream: Stream | undefined) => {
  const { edit } = useEditor()
  const graph = useGraph(edit)
  const [outputs, setOutputs] = useState<FrameFacts['outputs']>({})
  const hear = useCallback((facts: FrameFacts) => setOutputs(facts.outputs), [])
  const running = stream?.spec.pipeline.outputs
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
