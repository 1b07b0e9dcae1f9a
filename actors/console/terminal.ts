// What a session shows, and to whom: its newest output, and the one viewer who is attached. What is shown goes no
// faster than the viewer takes it, and what is typed no faster than the program does.
import { ScrollBack } from '../../machines/console/scroll-back.ts'
import type { TerminalSize } from '../../machines/console/session.ts'
import type { TerminalListener, TerminalProgram } from '../../native/console/port.ts'
import type { ConsoleSeat, ConsoleViewer } from './tokens.ts'

/** Told of what happens on a terminal. */
export interface TerminalNews {
  readonly attached: (viewer: ConsoleViewer) => void
  /** Nobody is attached any more. */
  readonly detached: () => void
  readonly typed: () => void
  readonly resized: (size: TerminalSize) => void
}

/** One terminal, from before its program starts until it has ended. */
export class Terminal {
  readonly #news: TerminalNews
  readonly #scrollBack = new ScrollBack()
  #program: TerminalProgram | undefined
  #viewer: ConsoleViewer | undefined

  constructor(news: TerminalNews) {
    this.#news = news
  }

  /** Of its program, as long as that is told. */
  readonly listener: Omit<TerminalListener, 'ended'> = {
    output: (bytes) => {
      this.#scrollBack.push(bytes)
      if (this.#viewer?.show(bytes) === false) this.#program?.pause()
    },
    drained: () => this.#viewer?.drained(),
  }

  get viewer(): ConsoleViewer | undefined {
    return this.#viewer
  }

  /** Its program runs from now on; undefined: not any more. */
  set program(program: TerminalProgram | undefined) {
    this.#program = program
  }

  /** Shows it what was shown lately, and from now on what comes. Whoever is attached is told, and has to leave. */
  attach(viewer: ConsoleViewer): ConsoleSeat {
    const before = this.#viewer
    if (before) {
      this.#viewer = undefined
      before.tell({ kind: 'taken_over', by: viewer.address })
      before.end()
    }
    this.#viewer = viewer
    this.#news.attached(viewer)
    const recent = this.#scrollBack.content()
    if (recent.length === 0 || viewer.show(recent)) this.#program?.resume()
    else this.#program?.pause()
    const asViewer =
      <Values extends readonly unknown[], Result>(then: (...values: Values) => Result, instead: Result) =>
      (...values: Values): Result =>
        this.#viewer === viewer ? then(...values) : instead
    return {
      type: asViewer((bytes) => {
        this.#news.typed()
        return this.#program?.write(bytes) ?? true
      }, true),
      order: asViewer((order) => {
        if (order.kind === 'signal') this.#program?.signal(order.signal)
        else this.#resize({ columns: order.columns, rows: order.rows })
      }, undefined),
      ready: asViewer(() => this.#program?.resume(), undefined),
      leave: asViewer(() => {
        this.#viewer = undefined
        this.#program?.resume()
        this.#news.detached()
      }, undefined),
    }
  }

  /** Says the last word to whoever is attached. */
  end(word: Parameters<ConsoleViewer['tell']>[0]): void {
    const viewer = this.#viewer
    this.#viewer = undefined
    viewer?.tell(word)
    viewer?.end()
  }

  #resize(size: TerminalSize): void {
    this.#program?.resize(size)
    this.#news.resized(size)
  }
}
