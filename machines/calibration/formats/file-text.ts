// The syntax of a calibration file: JSON, YAML or the XML of OpenCV's FileStorage. What the file means is not known
// here.
import { isMap, isScalar, parseDocument } from 'yaml'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import { readStorageXml } from './storage-xml.ts'

/** A file may be so long. Those with pictures inside are longer. */
export const MAX_CALIBRATION_FILE_BYTES = 4_194_304

/** One that is not JSON may be so long: ten milliseconds for a kilobyte are the longest that YAML takes. */
const MAX_YAML_BYTES = 131_072

/** No calibration file is deeper. */
const MAX_DEPTH = 24

/** A file as its syntax has it. */
export interface FileTree {
  readonly syntax: 'json' | 'yaml' | 'xml'
  readonly value: Readonly<Record<string, unknown>>
}

const BYTE_ORDER_MARK = '\ufeff'
/** The first line of OpenCV's files is no directive of YAML. */
const STORAGE_LINE = /^%YAML:?[ \d.]*\r?\n/
const LOOKS_LIKE_JSON = /^\s*\{/

/** What a file holds, or why it cannot be read; in any text there is one of the two. */
export const parseCalibrationFile = (text: string): FileTree | SchemaError => {
  const whole = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  if (whole.trim() === '') return flaw('is empty')
  if (whole.length > MAX_CALIBRATION_FILE_BYTES)
    return flaw(
      oneLine`
        is longer than ${MAX_CALIBRATION_FILE_BYTES / 1_048_576} MiB; export it again without the pictures, or cut out
        what is neither matrix nor coefficients nor size
      `,
    )
  const json = LOOKS_LIKE_JSON.test(whole) ? parseJson(whole) : undefined
  if (json) return treeOf('json', json.value)
  if (whole.length > MAX_YAML_BYTES)
    return flaw(
      oneLine`
        is no JSON, and longer than the ${MAX_YAML_BYTES / 1024} KiB that are read of other files; cut out what is
        neither matrix nor coefficients nor size
      `,
    )
  if (/^\s*</.test(whole)) {
    const xml = readStorageXml(whole)
    return typeof xml === 'string' ? flaw(xml) : treeOf('xml', xml)
  }
  return parseYaml(whole)
}

/** Whether a file could not be read. */
export const isFlaw = (tree: FileTree | SchemaError): tree is SchemaError => 'message' in tree

const flaw = (message: string): SchemaError => ({ pointer: '', message })

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined // YAML may begin with a brace as well
  }
}

const parseYaml = (text: string): FileTree | SchemaError => {
  // Whether keys stand twice is asked below: asked here, it takes the square of their number.
  const document = parseDocument(text.replace(STORAGE_LINE, ''), {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [error] = document.errors
  if (error)
    return flaw(`is neither JSON nor YAML: character ${error.pos[0] + 1}: ${quote(error.message.split('\n', 1)[0])}`)
  const twice = keyThatStandsTwice(document.contents)
  if (twice !== undefined) return flaw(`has the key ${quote(twice)} twice; which of them is meant?`)
  try {
    return treeOf('yaml', document.toJS({ maxAliasCount: 0 }))
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return flaw('refers to other places of itself (`*name`); write them out')
    if (thrown instanceof RangeError) return TOO_DEEP
    throw thrown
  }
}

const keyThatStandsTwice = (contents: unknown): string | undefined => {
  if (!isMap(contents)) return undefined
  const seen = new Set<string>()
  for (const { key } of contents.items) {
    const name = String(isScalar(key) ? key.value : '')
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

const TOO_DEEP = flaw(`is nested more than ${MAX_DEPTH} deep, which no calibration file is`)

const treeOf = (syntax: FileTree['syntax'], value: unknown): FileTree | SchemaError => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return flaw('is no calibration: it must be an object with named fields')
  return isTooDeep(value, MAX_DEPTH) ? TOO_DEEP : { syntax, value: value as FileTree['value'] }
}

const isTooDeep = (value: unknown, room: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (room === 0 || Object.values(value).some((each) => isTooDeep(each, room - 1)))
