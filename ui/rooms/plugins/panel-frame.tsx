// A panel of a plugin: a frame that is nobody's, and the channel to it.
import { useEffect, useRef, useState } from 'react'
import { api, ask, type Problem } from '../../api/client.ts'
import { onReset } from '../../api/feed.ts'
import { openLine } from '../../api/line.ts'
import { Alert, Button, ProblemNote } from '../../parts/parts.tsx'
import { listenToResults } from '../../state/results.ts'
import { PanelHost } from './panel-host.ts'
import { isReady, type Theme } from './panel-protocol.ts'

interface PanelAddress {
  readonly url: string
  readonly title: string
  readonly granted: readonly string[]
}

const DEFAULT_HEIGHT_PX = 320
const DARK = matchMedia('(prefers-color-scheme: dark)')

const themeNow = (): Theme => (DARK.matches ? 'dark' : 'light')

const send = (name: string) => async (message: unknown) => {
  const answer = await ask(api.POST('/v1/plugins/{name}/messages', { params: { path: { name } }, body: { message } }))
  return answer.ok ? undefined : answer.problem
}

/** Has a channel to a frame for as long as that is there. The first word is the frame's: then it listens. */
const connect = (
  frame: HTMLIFrameElement,
  { name, granted }: { readonly name: string; readonly granted: readonly string[] },
  told: { readonly setHeight: (px: number) => void; readonly onMisuse: (why: string) => void },
): (() => void) => {
  let host: PanelHost | undefined
  const hear = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || origin !== 'null' || !isReady(data) || host) return
    const { port1, port2 } = new MessageChannel()
    host = new PanelHost({ granted, port: port1, send: send(name), watch: listenToResults, ...told })
    // An origin that is nobody's has no name; only this very window gets it.
    frame.contentWindow?.postMessage({ vedette: 'start', api: 1, plugin: name, granted, theme: themeNow() }, '*', [
      port2,
    ])
    host.tell({ type: 'size', width_px: frame.clientWidth, height_px: frame.clientHeight })
  }
  const line = openLine(`/v1/plugins/${encodeURIComponent(name)}/messages`, (data) => {
    const { kind, message } = JSON.parse(data as string) as { readonly kind: string; readonly message?: unknown }
    if (kind === 'message') host?.tell({ type: 'message', message })
  })
  const sizes = new ResizeObserver(() =>
    host?.tell({ type: 'size', width_px: frame.clientWidth, height_px: frame.clientHeight }),
  )
  sizes.observe(frame)
  const showTheme = () => host?.showTheme(themeNow())
  DARK.addEventListener('change', showTheme)
  addEventListener('message', hear)
  return () => {
    removeEventListener('message', hear)
    DARK.removeEventListener('change', showTheme)
    sizes.disconnect()
    line.close()
    host?.end()
  }
}

const Frame = ({ name, address, onMisuse }: FrameProps) => {
  const ref = useRef<HTMLIFrameElement>(null)
  const [heightPx, setHeight] = useState(DEFAULT_HEIGHT_PX)
  const { url, title, granted } = address
  useEffect(() => {
    const frame = ref.current
    if (!frame) return
    const stop = connect(frame, { name, granted }, { setHeight, onMisuse })
    frame.src = url // not before somebody listens
    return stop
  }, [name, url, granted, onMisuse])
  return <iframe ref={ref} className="plugins-frame" title={title} sandbox="allow-scripts" height={heightPx} />
}

interface FrameProps {
  readonly name: string
  readonly address: PanelAddress
  readonly onMisuse: (why: string) => void
}

interface PanelProps {
  readonly name: string
  readonly version: string
  readonly granted: readonly string[]
}

/** The panel of a plugin that is enabled. With another version, or another grant, it is opened again. */
export const PanelFrame = ({ name, version, granted }: PanelProps) => {
  const may = granted.join()
  const [address, setAddress] = useState<PanelAddress>()
  const [problem, setProblem] = useState<Problem>()
  const [misuse, setMisuse] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another panel then
  useEffect(() => {
    let isWanted = true
    let isFirst = true
    const look = async () => {
      const answer = await ask(api.GET('/v1/plugins/{name}/panel', { params: { path: { name } } }))
      if (!isWanted) return
      isFirst = false
      if (answer.ok) setAddress(answer.value)
      setProblem(answer.ok ? undefined : answer.problem)
    }
    void look()
    const stop = onReset(() => void (isFirst || look())) // tickets are forgotten when the service starts again
    return () => {
      isWanted = false
      stop()
    }
  }, [name, version, may])
  if (misuse !== undefined)
    return (
      <Alert tone="bad" action={<Button onClick={() => setMisuse(undefined)}>Open it again</Button>}>
        This panel was closed: {misuse}.
      </Alert>
    )
  if (problem) return <ProblemNote problem={problem} />
  return address ? <Frame name={name} address={address} onMisuse={setMisuse} /> : <p className="hint">Loading</p>
}
