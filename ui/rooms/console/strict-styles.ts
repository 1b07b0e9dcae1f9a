// xterm.js puts style elements and style attributes into the page, which the page's policy refuses: it takes styles
// from its own files alone. What scripts set through the object model is allowed, so both are turned into that.

/** Stands for a style element: whatever becomes its text is a style sheet of the document while it is in there. */
const sheetElement = (): HTMLElement => {
  const element = document.createElement('template') // shows nothing
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) })
  element.remove = () => {
    Element.prototype.remove.call(element)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
  return element
}

/** Of a character in a colour of its own. */
function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}

const create = Document.prototype.createElement

const createStrict = (name: string, options?: ElementCreationOptions): HTMLElement => {
  if (name === 'style') return sheetElement()
  const element = create.call(document, name, options)
  return name === 'span' ? Object.assign(element, { setAttribute }) : element
}

let users = 0

/**
 * Has both turned from now on, for as long as there is a terminal; returns the way to stop that. The document itself is
 * another one meanwhile: xterm.js takes one of ours, and then asks the real one for its characters all the same.
 */
export const keepStrict = (): (() => void) => {
  users += 1
  document.createElement = createStrict as typeof document.createElement
  return () => {
    users -= 1
    if (users === 0) document.createElement = create
  }
}
