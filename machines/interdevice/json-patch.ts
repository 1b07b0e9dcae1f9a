// JSON Patch (RFC 6902) on a document, behind a gate: the library that applies it takes more than the RFC lets it, and
// leaves half of a patch behind.
import { applyPatch } from 'rfc6902'
import type { SchemaError } from '../schema/explain.ts'
import { quote } from '../schema/quote.ts'
import { isSameJson } from '../settings/same-json.ts'
import type { PatchOperation } from './graph-patch.ts'

/**
 * The document with all of a patch applied, or what is wrong with its first operation that cannot be; pointers are into
 * the patch.
 */
export type Patched =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly error: SchemaError }

// A graph is five deep and has some 200 kB at most.
const MAX_TOKENS = 16
const DEEPEST_VALUE = 64
// characters, by all operations of a patch: a copy of everything into itself, twenty times, would be a million times as
// long
const MAX_COPIED = 262_144

/** What objects inherit: a write to it would change more than the document. */
const INHERITED: readonly string[] = ['__proto__', 'constructor', 'prototype']

const POINTER = /^(\/([^~/]|~[01])*)*$/
const INDEX = /^(0|[1-9]\d{0,8})$/

/** Applies operations one after the other to a copy. document: JSON. */
export const patched = (document: unknown, patch: readonly PatchOperation[]): Patched => {
  const copy = { document: structuredCopy(document), copied: 0 }
  for (const [index, operation] of patch.entries()) {
    const flaw = applied(copy, operation)
    if (flaw) return { ok: false, error: { pointer: `/${index}${flaw.pointer}`, message: flaw.message } }
  }
  return { ok: true, document: copy.document }
}

const structuredCopy = (document: unknown): unknown => JSON.parse(JSON.stringify(document))

/** A document on its way. copied: how much was copied within it. */
interface Draft {
  readonly document: unknown
  copied: number
}

/** What is wrong with an operation; undefined: it is applied. */
const applied = (draft: Draft, operation: PatchOperation): SchemaError | undefined => {
  const { op, path, from } = operation
  switch (op) {
    case 'test':
      return tested(draft, operation)
    case 'remove':
      return run(draft, { op, path }, placeOf(draft.document, path, 'there'))
    case 'add':
    case 'replace': {
      const flaw = valueFlaw(operation)
      return flaw ?? run(draft, { op, path, value: operation.value }, placeOf(draft.document, path, placeFor[op]))
    }
    case 'copy': {
      const source = sourceOf(draft, path, from)
      if ('message' in source) return source
      draft.copied += sizeOf(source.value).characters
      if (draft.copied > MAX_COPIED)
        return {
          pointer: '',
          message: `copies too much: all copies of a patch may have ${MAX_COPIED} characters together`,
        }
      return run(draft, { op: 'add', path, value: source.value }, placeOf(draft.document, path, 'new'))
    }
    case 'move': {
      const source = sourceOf(draft, path, from)
      if ('message' in source) return source
      const taken = run(draft, { op: 'remove', path: from as string }, placeOf(draft.document, from as string, 'there'))
      if (taken) return { pointer: '/from', message: taken.message }
      return run(draft, { op: 'add', path, value: source.value }, placeOf(draft.document, path, 'new'))
    }
  }
}

/**
 * What the last token of a path has to be: that of something that is there, or of a place where something may be put.
 */
type Wanted = 'there' | 'new'
const placeFor = { add: 'new', replace: 'there' } as const satisfies Record<string, Wanted>

type Place = { readonly value: unknown } | SchemaError

/** The library does it, and throws or tells when it does not. */
const run = (
  { document }: Draft,
  operation: { readonly op: 'add' | 'remove' | 'replace'; readonly path: string; readonly value?: unknown },
  place: Place,
): SchemaError | undefined => {
  if ('message' in place) return place
  if (operation.path === '')
    return { pointer: '/path', message: 'is the whole document, which is sent whole to be replaced' }
  const [error] = applyPatch(document, [operation as never])
  return error ? { pointer: '', message: `cannot be applied: ${error.message}` } : undefined
}

/**
 * Not by the library: to see whether lists are equal it looks for the shortest way from one to the other, which takes
 * for ever.
 */
const tested = ({ document }: Draft, operation: PatchOperation): SchemaError | undefined => {
  const flaw = valueFlaw(operation)
  if (flaw) return flaw
  const place = placeOf(document, operation.path, 'there')
  if ('message' in place) return place
  return isSameJson(place.value, operation.value)
    ? undefined
    : {
        pointer: '/value',
        message: `is ${quote(operation.value)}, but ${operation.path || 'the document'} is ${quote(place.value)}`,
      }
}

const valueFlaw = (operation: PatchOperation): SchemaError | undefined => {
  if (!Object.hasOwn(operation, 'value')) return { pointer: '/value', message: `is missing; ${operation.op} needs one` }
  const { depth, inherited } = sizeOf(operation.value)
  if (inherited) return { pointer: '/value', message: `has a key ${inherited}, which every object has already` }
  return depth > DEEPEST_VALUE ? { pointer: '/value', message: `is nested more than ${DEEPEST_VALUE} deep` } : undefined
}

const sourceOf = ({ document }: Draft, path: string, from: string | undefined): Place => {
  if (from === undefined) return { pointer: '/from', message: 'is missing; it says what is copied or moved' }
  if (path.startsWith(`${from}/`))
    return { pointer: '/from', message: 'is a place around path: nothing is put into itself' }
  const place = placeOf(document, from, 'there')
  if ('message' in place) return { pointer: '/from', message: place.message }
  const { depth } = sizeOf(place.value)
  return depth > DEEPEST_VALUE ? { pointer: '/from', message: `is nested more than ${DEEPEST_VALUE} deep` } : place
}

/** What a path leads to; undefined where something may be put. Every step is one of the document's own. */
const placeOf = (document: unknown, path: string, wanted: Wanted): Place => {
  const wrong = (message: string): SchemaError => ({ pointer: '/path', message })
  if (!POINTER.test(path)) return wrong('is no JSON Pointer: tokens begin with /, and ~ is written ~0, / is written ~1')
  const tokens = path.split('/').slice(1).map(unescaped)
  if (tokens.length > MAX_TOKENS) return wrong(`has more than ${MAX_TOKENS} tokens`)
  let value = document
  for (const [n, token] of tokens.entries()) {
    if (INHERITED.includes(token)) return wrong(`has the token ${token}, which every object has already`)
    const last = n === tokens.length - 1
    const found = last && wanted === 'new' ? roomFor(value, token) : stepInto(value, token)
    if ('why' in found) return wrong(`${found.why} (${quote(token)})`)
    value = found.value
  }
  return { value }
}

type Step = { readonly value: unknown } | { readonly why: string }

const stepInto = (value: unknown, token: string): Step => {
  if (Array.isArray(value)) {
    const isThere = INDEX.test(token) && Number(token) < value.length
    return isThere ? { value: value[Number(token)] } : { why: `leads to no entry of a list of ${value.length}` }
  }
  if (typeof value !== 'object' || value === null) return { why: 'goes on where there is neither a list nor an object' }
  return Object.hasOwn(value, token)
    ? { value: (value as Readonly<Record<string, unknown>>)[token] }
    : { why: 'leads to nothing' }
}

const roomFor = (value: unknown, token: string): Step => {
  if (Array.isArray(value)) {
    const isPlace = token === '-' || (INDEX.test(token) && Number(token) <= value.length)
    return isPlace ? { value: undefined } : { why: `is no place in a list of ${value.length}` }
  }
  return typeof value === 'object' && value !== null
    ? { value: undefined }
    : { why: 'is to be put where there is neither a list nor an object' }
}

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * About as long as it is written, how deep it is, and a key that no object may have of its own. Stops where that is too
 * much already.
 */
const sizeOf = (
  value: unknown,
): { readonly characters: number; readonly depth: number; readonly inherited?: string } => {
  const open: [value: unknown, depth: number][] = [[value, 0]]
  let characters = 0
  let deepest = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next
    deepest = Math.max(deepest, depth)
    characters += typeof each === 'string' ? each.length + 3 : 8
    if (characters > MAX_COPIED || deepest > DEEPEST_VALUE) continue
    if (typeof each !== 'object' || each === null) continue
    if (Object.hasOwn(each, '__proto__')) return { characters, depth: deepest, inherited: '__proto__' }
    for (const [key, part] of Object.entries(each)) {
      characters += key.length
      open.push([part, depth + 1])
    }
  }
  return { characters, depth: deepest }
}
