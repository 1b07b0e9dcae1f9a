// The terminal of a console session, by xterm.js. Whatever is typed while it has the focus goes to the device.
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'react'
import { Alert, Button } from '../../parts/parts.tsx'
import type { ConsoleSession } from '../../state/console.ts'
import { openStream } from './stream.ts'
import { keepStrict } from './strict-styles.ts'

const SCROLL_BACK_LINES = 10_000

// Dark in both colours of the page, as programs expect a terminal to be.
const THEME = {
  background: '#0b0d0c',
  foreground: '#e9eeea',
  cursor: '#4fd6a2',
  cursorAccent: '#0b0d0c',
  selectionBackground: '#3d4fbf',
}

interface TerminalProps {
  readonly session: ConsoleSession
  /** Where the focus goes when somebody leaves the terminal by the keyboard. */
  readonly onLeave: () => void
}

/** What came of the connection. */
type Ended = { readonly why: string; readonly canReturn: boolean }

export const TerminalView = ({ session: { session_id, program }, onLeave }: TerminalProps) => {
  const place = useRef<HTMLDivElement>(null)
  const [ended, setEnded] = useState<Ended>()
  const [isLost, setIsLost] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [isRead, setIsRead] = useState(false)
  const view = useRef<Terminal>(null)
  const leave = useRef(onLeave)
  leave.current = onLeave

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt attaches again
  useEffect(() => {
    if (!place.current) return
    const release = keepStrict()
    const terminal = new Terminal({
      fontFamily: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
      fontSize: 14,
      scrollback: SCROLL_BACK_LINES,
      theme: THEME,
    })
    const fit = new FitAddon()
    terminal.loadAddon(fit)
    const box = place.current
    terminal.open(box)
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== 'keydown') return true
      if (event.key === 'Escape' && event.shiftKey) {
        leave.current()
        return false
      }
      if (event.code === 'KeyC' && event.ctrlKey && event.shiftKey && terminal.hasSelection()) {
        event.preventDefault()
        document.execCommand('copy')
        return false
      }
      return true
    })
    const stream = openStream(session_id, {
      attached: () => {
        terminal.reset()
        setIsLost(false)
      },
      shown: (bytes, drawn) => terminal.write(bytes, drawn),
      ended: (why, canReturn) => {
        setEnded({ why, canReturn })
        setIsLost(false)
        terminal.options.disableStdin = true
      },
      lost: () => setIsLost(true),
    })
    view.current = terminal
    const kept = [
      terminal.onData((text) => stream.type(text)),
      terminal.onBinary((text) => stream.typeBytes(text)),
      terminal.onResize(({ cols, rows }) => stream.resize(cols, rows)),
    ]
    const resized = new ResizeObserver(() => fit.fit())
    resized.observe(box)
    fit.fit()
    stream.resize(terminal.cols, terminal.rows)
    terminal.focus()
    return () => {
      resized.disconnect()
      for (const each of kept) each.dispose()
      stream.close()
      terminal.dispose()
      release()
    }
  }, [session_id, attempt])

  // apart from the rest, since xterm.js then takes no characters that no key makes
  useEffect(() => {
    if (view.current) view.current.options.screenReaderMode = isRead
  }, [isRead])

  return (
    <div className="console-terminal">
      {isLost && <Alert tone="busy">The connection broke. The session goes on; it is being attached again.</Alert>}
      {ended && (
        <Alert
          tone="quiet"
          action={
            ended.canReturn && (
              <Button
                onClick={() => {
                  setEnded(undefined)
                  setAttempt((before) => before + 1)
                }}
              >
                Attach again
              </Button>
            )
          }
        >
          {ended.why}
        </Alert>
      )}
      <div className="console-screen" data-program={program} ref={place} />
      <div className="row">
        <label>
          <input type="checkbox" checked={isRead} onChange={({ target }) => setIsRead(target.checked)} /> Have a screen
          reader read it
        </label>
        <span className="hint">
          Shift+Escape leaves the terminal. Ctrl+Shift+C copies what is selected, Ctrl+Shift+V pastes.
        </span>
      </div>
    </div>
  )
}
