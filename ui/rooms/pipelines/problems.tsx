// What the planner says, and what repairs it.
import { Button, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useEditor } from './editor-context.ts'
import { nodeOf } from './graph.ts'
import { repaired } from './repair.ts'
import type { Diagnostic } from './report.ts'

const TONES = { error: 'bad', warning: 'busy', info: 'quiet' } as const

/** Does what repairs it, where that is known. */
export const FixButton = ({ diagnostic: { fix, message } }: { readonly diagnostic: Diagnostic }) => {
  const { edit, say } = useEditor()
  if (!fix) return null
  const apply = () => {
    const graph = repaired(edit.getSnapshot().context.history.now, fix)
    if (graph) edit.trigger.changed({ graph })
    else say('The pipeline is another one by now; wait for what the planner says of it.')
  }
  return (
    <Button onClick={apply} title={`Repairs: ${message}`}>
      Apply fix
    </Button>
  )
}

/** Those of one node, or all. */
export const Problems = ({ node }: { readonly node?: string }) => {
  const { checked, edit, choose } = useEditor()
  const { report, problem } = checked
  const all = report?.diagnostics.filter((each) => node === undefined || each.node === node) ?? []
  const graph = edit.getSnapshot().context.history.now
  return (
    <div className="stack">
      {problem && <ProblemNote problem={problem} title="The pipeline could not be checked." />}
      {node === undefined && all.length === 0 && report && <p className="hint">The planner has nothing to say.</p>}
      <ul className="problems" aria-label={node === undefined ? 'What the planner says' : `About ${node}`}>
        {all.map((diagnostic) => {
          const { severity, code, message, pointer, node: of } = diagnostic
          return (
            <li key={`${code} ${pointer} ${message}`} title={code}>
              <Pill tone={TONES[severity]}>{severity}</Pill>
              <p>{message}</p>
              <div className="row">
                <FixButton diagnostic={diagnostic} />
                {node === undefined && of !== null && nodeOf(graph, of) && (
                  <Button kind="plain" onClick={() => choose(of)}>
                    Show {of}
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
      {node === undefined && report && report.diagnostics_left_out > 0 && (
        <p className="hint">And {report.diagnostics_left_out} more.</p>
      )}
    </div>
  )
}
