// The text of a tuning file: its colour matrices, what else the finding of one needs, and the same text with others, in
// which every other byte stays as it is.
import { type Ccm, isRising, withCcm } from './ccm.ts'
import {
  entryOf,
  type JsonArray,
  type JsonFlaw,
  type JsonNode,
  type JsonObject,
  numberOf,
  numbersOf,
  readTolerantJson,
} from './tolerant-json.ts'

/** What stands in a tuning file, as far as it is of interest here. */
export interface Tuning {
  readonly target: string | null
  readonly matrices: readonly Ccm[]
  /** Pairs of 16 bits, what comes in and what goes out. */
  readonly gammaCurve: readonly number[] | null
  /** Whether the curve is changed by what is in the picture. */
  readonly isAdaptive: boolean
  /** Of 65535. */
  readonly blackLevel: number | null
  /** Triples: temperature, red and blue of a grey against its green. */
  readonly ctCurve: readonly number[] | null
}

/** Why a text is not used. */
export interface TuningFlaw {
  /** A sentence without a full stop. */
  readonly flaw: string
}

const CCM = 'rpi.ccm'
const FIRST_WITH_LIST = 2
const FIRST_UNKNOWN = 3

/** Whether it is one. */
export const isTuningFlaw = <Found extends object>(found: Found | TuningFlaw): found is TuningFlaw => 'flaw' in found

/** Each algorithm by its name, in either form of the file. */
const algorithmsOf = (root: JsonNode): readonly JsonObject['entries'][number][] | TuningFlaw => {
  if (root.kind !== 'object') return { flaw: 'it is no object' }
  const version = numberOf(entryOf(root, 'version')) ?? 1
  if (version >= FIRST_UNKNOWN) return { flaw: `it is of version ${version}, and libcamera knows those below 3` }
  if (version < FIRST_WITH_LIST) return root.entries
  const list = entryOf(root, 'algorithms')
  if (list?.kind !== 'array') return { flaw: 'it has no list of algorithms' }
  return list.items.flatMap((item) => (item.kind === 'object' ? item.entries : []))
}

interface FoundMatrices {
  readonly list: JsonArray
  readonly entries: readonly { readonly node: JsonObject; readonly matrix: Ccm }[]
}

const matricesIn = (algorithms: readonly JsonObject['entries'][number][]): FoundMatrices | TuningFlaw => {
  const [found, second] = algorithms.filter(({ key }) => key === CCM)
  if (!found) return { flaw: `it has no ${CCM}: a sensor without colours has no matrix` }
  if (second) return { flaw: `it has ${CCM} twice` }
  const lists = found.value.kind === 'object' ? found.value.entries.filter(({ key }) => key === 'ccms') : []
  const [list] = lists
  if (lists.length !== 1 || list?.value.kind !== 'array') return { flaw: `its ${CCM} has not one list of ccms` }
  const entries = list.value.items.map((node) => {
    const [ct, ccm] = [numberOf(entryOf(node, 'ct')), numbersOf(entryOf(node, 'ccm'))]
    return node.kind === 'object' && ct !== undefined && ccm?.length === 9 ? { node, matrix: { ct, ccm } } : undefined
  })
  if (!entries.every((each) => each !== undefined)) return { flaw: 'one of its ccms has no ct, or not 9 numbers' }
  if (entries.length === 0) return { flaw: 'its list of ccms is empty' }
  if (!isRising(entries.map(({ matrix }) => matrix))) return { flaw: 'the ct of its ccms do not rise' }
  return { list: list.value, entries }
}

const rootOf = (text: string): JsonNode | TuningFlaw => {
  const root: JsonNode | JsonFlaw = readTolerantJson(text)
  return 'flaw' in root ? { flaw: `it cannot be read: ${root.flaw}` } : root
}

/** Reads a tuning file of a Raspberry Pi. text: each byte a character, so that whatever it holds can be kept. */
export const readTuning = (text: string): Tuning | TuningFlaw => {
  const root = rootOf(text)
  if (isTuningFlaw(root)) return root
  const algorithms = algorithmsOf(root)
  if (isTuningFlaw(algorithms)) return algorithms
  const matrices = matricesIn(algorithms)
  if (isTuningFlaw(matrices)) return matrices
  const of = (name: string, key: string) => entryOf(algorithms.find(({ key: each }) => each === name)?.value, key)
  const target = entryOf(root, 'target')
  const adaptive = of('rpi.contrast', 'ce_enable')
  return {
    target: target?.kind === 'leaf' && typeof target.value === 'string' ? target.value : null,
    matrices: matrices.entries.map(({ matrix }) => matrix),
    gammaCurve: numbersOf(of('rpi.contrast', 'gamma_curve')) ?? null,
    isAdaptive: !(adaptive?.kind === 'leaf' && (adaptive.value === 0 || adaptive.value === false)),
    blackLevel: numberOf(of('rpi.black_level', 'black_level')) ?? null,
    ctCurve: numbersOf(of('rpi.awb', 'ct_curve')) ?? null,
  }
}

/** How the text before a place is moved in; undefined: something else stands before it on its line. */
const indentAt = (text: string, place: number): string | undefined => {
  const lineStart = text.lastIndexOf('\n', place - 1) + 1
  const before = text.slice(lineStart, place)
  return /^[ \t]*$/.test(before) && lineStart > 0 ? before : undefined
}

const DEFAULT_STEP = '    '

/** A matrix in the manner of those that stand there. */
const written = (text: string, { entries }: FoundMatrices): ((matrix: Ccm) => string) => {
  const [{ node }] = entries as readonly [FoundMatrices['entries'][number]]
  const outer = indentAt(text, node.start)
  const isWide = text.slice(node.start, node.end).includes('\n')
  if (outer === undefined || !isWide) return ({ ct, ccm }) => `{ "ct": ${ct}, "ccm": [ ${ccm.join(', ')} ] }`
  const [, after = ''] = /^\{[^\n]*\n([ \t]*)/.exec(text.slice(node.start, node.end)) ?? []
  const step = after.startsWith(outer) && after.length > outer.length ? after.slice(outer.length) : DEFAULT_STEP
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const at = (depth: number, line: string) => `${outer}${step.repeat(depth)}${line}`
  return ({ ct, ccm }) =>
    [
      '{',
      at(1, `"ct": ${ct},`),
      at(1, '"ccm":'),
      at(1, '['),
      ...[0, 3, 6].map((from) => at(2, `${ccm.slice(from, from + 3).join(', ')}${from < 6 ? ',' : ''}`)),
      at(1, ']'),
      at(0, '}'),
    ].join(newline)
}

/** What stands between two of them. */
const between = (text: string, { entries: [first, second] }: FoundMatrices): string => {
  if (first && second) return text.slice(first.node.end, second.node.start)
  const indent = first && indentAt(text, first.node.start)
  return indent === undefined ? ', ' : `,${text.includes('\r\n') ? '\r\n' : '\n'}${indent}`
}

const isSame = (one: Ccm, other: Ccm): boolean =>
  one.ct === other.ct && one.ccm.every((each, at) => each === other.ccm[at])

/**
 * The text with other matrices: all that stands outside of its list stays as it is, byte by byte, and so do the entries
 * that stay. matrices: rising.
 */
export const replaceMatrices = (text: string, matrices: readonly Ccm[]): string | TuningFlaw => {
  if (matrices.length === 0 || !isRising(matrices)) return { flaw: 'the ct of the new matrices do not rise' }
  const root = rootOf(text)
  if (isTuningFlaw(root)) return root
  const algorithms = algorithmsOf(root)
  if (isTuningFlaw(algorithms)) return algorithms
  const found = matricesIn(algorithms)
  if (isTuningFlaw(found)) return found
  const { entries } = found
  const [start, end] = [entries[0]?.node.start ?? 0, entries.at(-1)?.node.end ?? 0]
  const write = written(text, found)
  const kept = (matrix: Ccm) => entries.find((each) => isSame(each.matrix, matrix))?.node
  const pieces = matrices.map((matrix) => {
    const node = kept(matrix)
    return node ? text.slice(node.start, node.end) : write(matrix)
  })
  const changed = text.slice(0, start) + pieces.join(between(text, found)) + text.slice(end)
  return isAsWanted(text, changed, matrices) ? changed : { flaw: 'its form is one in which it cannot be changed' }
}

/** What is about to be written is read once more: a camera is lost by a file that is wrong. */
const isAsWanted = (before: string, after: string, matrices: readonly Ccm[]): boolean => {
  const [old, read] = [before, after].map((text) => readTuning(text)) as [Tuning | TuningFlaw, Tuning | TuningFlaw]
  if (isTuningFlaw(old) || isTuningFlaw(read)) return false
  const areSame =
    read.matrices.length === matrices.length && matrices.every((each, at) => isSame(each, read.matrices[at] as Ccm))
  return areSame && restOf(before) === restOf(after)
}

/** The text without its list of matrices. */
export const restOf = (text: string): string | undefined => {
  const root = rootOf(text)
  if (isTuningFlaw(root)) return undefined
  const algorithms = algorithmsOf(root)
  if (isTuningFlaw(algorithms)) return undefined
  const found = matricesIn(algorithms)
  return isTuningFlaw(found) ? undefined : text.slice(0, found.list.start) + text.slice(found.list.end)
}

/** The text with one more matrix, or with one in place of that of the same light. */
export const addMatrix = (text: string, matrix: Ccm): string | TuningFlaw => {
  const tuning = readTuning(text)
  return isTuningFlaw(tuning) ? tuning : replaceMatrices(text, withCcm(tuning.matrices, matrix))
}
