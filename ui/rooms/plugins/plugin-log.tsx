// What the program of a plugin prints and logs, the newest at the bottom.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { openLine } from '../../api/line.ts'
import { Card } from '../../parts/parts.tsx'

const MAX_LINES = 200 // more than anybody reads on a page

interface LogProps {
  readonly name: string
  /** The latest of them, when the page was opened. */
  readonly lines: readonly string[]
}

export const PluginLog = ({ name, lines }: LogProps) => {
  const [since, setSince] = useState<readonly string[]>([])
  const [first] = useState(lines)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const line = openLine(`/v1/plugins/${encodeURIComponent(name)}/messages`, (data) => {
      const said = JSON.parse(data as string) as { readonly kind: string; readonly line?: string }
      if (said.kind === 'line') setSince((before) => [...before, said.line ?? ''].slice(-MAX_LINES))
    })
    return line.close
  }, [name])
  const shown = [...first, ...since].slice(-MAX_LINES)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that there are other lines
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [shown.length, since])
  return (
    <Card title="What it says">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is scrolled by keys, too */}
      <div ref={box} className="card-body plugins-log" role="log" aria-label="What it says" tabIndex={0}>
        {shown.length === 0 ? <p className="hint">Nothing yet.</p> : <pre>{shown.join('\n')}</pre>}
      </div>
    </Card>
  )
}
