// Parameters of detectors that the engine takes otherwise than they stand there.
import { oneLine } from '../../schema/one-line.ts'
import { isDetector } from '../checks/memory.ts'
import type { Finding } from '../diagnostic.ts'
import type { PlanStep } from '../graph.ts'
import { wholeDecimate } from '../nodes/decimate.ts'
import type { GraphIndex, Node } from '../reading/graph-index.ts'
import { limitPatch, settingParam } from '../reading/patches.ts'
import { MAX_THREADS } from './threads.ts'

/** alike: the nodes whose work each step does, beside the one whose name it has. */
export const adjustedParams = (
  { graph, nodes }: GraphIndex,
  steps: readonly PlanStep[],
  alike: readonly { readonly node: Node; readonly step: string }[],
): readonly Finding[] =>
  steps.flatMap((step): readonly Finding[] => {
    const node = nodes.get(step.id)
    if (!isDetector(step.type) || !node) return []
    const set = (name: string, value: number) => () =>
      limitPatch(
        [node, ...alike.filter((each) => each.step === step.id).map((each) => each.node)].flatMap(
          ({ index }) => settingParam(graph, index, name, value) ?? [],
        ),
      )
    const about = (name: string) => ({
      code: 'param.adjusted' as const,
      node: step.id,
      of: `${name} of ${step.id}`,
      pointer: `${node.pointer}/params/${name}`,
    })
    const decimate = Number(node.params.decimate)
    const whole = wholeDecimate(decimate)
    const threads = Number(step.params.threads)
    return [
      ...(whole === decimate
        ? []
        : [
            {
              ...about('decimate'),
              message: `is ${decimate}, and libapriltag has 1.5 and whole numbers: it runs as ${whole}`,
              fix: set('decimate', whole),
            },
          ]),
      ...(threads === Number(node.params.threads)
        ? []
        : [
            {
              ...about('threads'),
              message: oneLine`
                is ${node.params.threads}, and the detectors of a graph have ${MAX_THREADS} together: it runs with
                ${threads}
              `,
              fix: set('threads', threads),
            },
          ]),
    ]
  })
