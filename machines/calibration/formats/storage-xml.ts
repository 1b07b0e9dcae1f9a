// The XML that OpenCV's FileStorage writes: elements with text, and nothing else of XML.
import { quote } from '../../schema/quote.ts'

const MAX_DEPTH = 24
/** A declaration, a comment, a tag (closing, name, attributes, empty), or text. */
const PIECE = /<\?[^<>]*\?>|<!--[^<>]*-->|<(\/?)([A-Za-z_][\w.-]*)([^<>]*?)(\/?)>|([^<>]+)/y

interface Element {
  readonly name: string
  readonly children: Record<string, unknown>
  text: string
}

/** What stands below `opencv_storage`, or in a sentence why it cannot be read. */
export const readStorageXml = (xml: string): Readonly<Record<string, unknown>> | string => {
  const root: Element = { name: '', children: {}, text: '' }
  const open = [root]
  PIECE.lastIndex = 0
  for (let at = 0; at < xml.length; at = PIECE.lastIndex) {
    const found = PIECE.exec(xml)
    if (!found) return `is no XML as OpenCV writes it: character ${at + 1}`
    const [, closes, name, , isEmpty, text] = found
    const top = open.at(-1) as Element
    if (text !== undefined) top.text += text
    if (name === undefined) continue
    if (closes) {
      if (top.name !== name || open.length === 1) return `closes ${quote(name)}, which is not open there`
      open.pop()
      const said = put(open.at(-1) as Element, top)
      if (said) return said
    } else if (isEmpty) {
      const said = put(top, { name, children: {}, text: '' })
      if (said) return said
    } else if (open.length > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} deep`
    else open.push({ name, children: {}, text: '' })
  }
  if (open.length > 1) return `ends before ${quote(open.at(-1)?.name)} does`
  const storage = root.children.opencv_storage
  return typeof storage === 'object' && storage !== null
    ? (storage as Readonly<Record<string, unknown>>)
    : 'is XML, but none that OpenCV has written: it must be an `opencv_storage`'
}

/** Lists of OpenCV are many elements called `_`; none of them is of use here. */
const put = (parent: Element, { name, children, text }: Element): string | undefined => {
  if (name === '_') return undefined
  if (Object.hasOwn(parent.children, name)) return `has ${quote(name)} twice; which of them is meant?`
  const value = Object.keys(children).length > 0 ? children : readValue(text)
  Object.defineProperty(parent.children, name, { value, enumerable: true, configurable: true, writable: true })
  return undefined
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Numbers apart by blanks are a list, one alone is a number; else it is text. */
const readValue = (text: string): unknown => {
  const words = text.trim().split(/\s+/)
  const values = words.map((word) => (NUMBER.test(word) ? Number(word) : word))
  return words.length === 1 ? values[0] : values.every((each) => typeof each === 'number') ? values : text.trim()
}
