// As much of a browser as the scripts of the page take: elements that hold text, and a way to the service.
import type { TestContext } from 'node:test'

type Properties = Partial<Pick<PageElement, 'className' | 'textContent' | 'hidden' | 'disabled' | 'value' | 'src'>>

/** An element of a page. Found by its name or its class. */
export class PageElement {
  readonly name: string
  className = ''
  textContent = ''
  hidden = false
  disabled = false
  value = ''
  src = ''
  readonly dataset: Record<string, string> = {}
  #children: readonly PageElement[] = []
  readonly #used: (() => unknown)[] = []

  constructor(name: string, properties: Properties = {}) {
    this.name = name
    Object.assign(this, properties)
  }

  with(...children: readonly PageElement[]): this {
    this.append(...children)
    return this
  }

  append(...children: readonly PageElement[]): void {
    this.#children = [...this.#children, ...children]
  }

  replaceChildren(...children: readonly PageElement[]): void {
    this.#children = children
  }

  get children(): readonly PageElement[] {
    return this.#children
  }

  addEventListener(type: 'click' | 'change' | 'error' | 'keydown', used: () => unknown): void {
    if (type === 'click' || type === 'change') this.#used.push(used)
  }

  scrollIntoView(): void {}

  /** Somebody chooses a value of it. */
  choose(value: string): void {
    this.value = value
    this.press()
  }

  /** Somebody presses it; resolves when all that follows has been done. */
  async press(): Promise<void> {
    await Promise.all(this.#used.map((used) => used()))
  }

  querySelector(selector: string): PageElement | null {
    for (const child of this.#children) {
      if (selector === child.name || selector === `.${child.className}`) return child
      const found = child.querySelector(selector)
      if (found) return found
    }
    return null
  }

  /** All that can be read in it. */
  get text(): string {
    return [this, ...this.#children]
      .map((each) => (each === this ? this.textContent : each.hidden ? '' : each.text))
      .filter((each) => each !== '')
      .join('\n')
  }
}

/** Gives the scripts of the page a document, and a service that answers, until the test ends. */
export const showPage = (t: TestContext, answer: (url: string, options?: RequestInit) => Promise<Response>): void => {
  const document = { createElement: (name: string) => new PageElement(name) }
  Object.assign(globalThis, { document })
  t.mock.method(globalThis, 'fetch', answer)
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
}
