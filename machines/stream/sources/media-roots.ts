// Which files of the device a stream may read: those inside a media root, and those that an administrator allowed for
// it. Where a path really leads is found out by native/media-roots; what follows from that is decided here.
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import type { NamedPath } from './source-kind.ts'

/** A folder from which files may be read. */
export interface MediaRoot {
  /** As the administrator wrote it. */
  readonly named: string
  /** With every symbolic link followed. */
  readonly real: string
}

/** What is wrong with the paths as they are written, wherever they lead. */
export const pathErrors = (paths: readonly NamedPath[]): readonly SchemaError[] =>
  paths.flatMap(({ pointer, path }) => {
    const message = complaintAbout(path)
    return message === undefined ? [] : [{ pointer, message }]
  })

const complaintAbout = (path: string): string | undefined => {
  if (path.includes('\0')) return `is ${quote(path)} and holds a NUL character, which no file name has`
  if (!path.startsWith('/')) return `must be an absolute path, like /home/team/pictures, not ${quote(path)}`
  // The kernel follows `..` after links, people read it before: refused, so that both mean the same place.
  return path.split('/').includes('..')
    ? `is ${quote(path)}; it must not go back with .., write the path out`
    : undefined
}

/** Both are absolute; a folder lies within itself. */
export const liesWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** What an order to read files is judged by. */
export interface MediaRules {
  readonly roots: readonly MediaRoot[]
  /** Real places that this stream may read already. */
  readonly granted: readonly string[]
  /** Whether its sender showed a valid token. */
  readonly administers: boolean
}

/**
 * Whether the file system may be asked where a path leads.
 *
 * One that is written as outside of all roots is refused without a look at it: neither the answer nor the time it takes
 * then tells what is there.
 */
export const mayBeLookedAt = (path: string, { roots, granted, administers }: MediaRules): boolean =>
  administers ||
  roots.some(({ named, real }) => liesWithin(named, path) || liesWithin(real, path)) ||
  granted.some((place) => liesWithin(place, path))

/** A path that was looked at. */
export interface FoundPath extends NamedPath {
  /** To which it leads; null: that is not known, or was not looked at. */
  readonly place: string | null
}

/** Whether the files of a source may be read. */
export type MediaVerdict =
  | {
      readonly ok: true
      /** The places outside of the roots that the stream may read from now on, to be stored with it. */
      readonly grants: readonly string[]
    }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }

const MAX_ERRORS = 16 // a list of ten thousand files is wrong in one way, not in ten thousand

/**
 * Judges the paths of a source. The answer is the same for a place that is not there and for one that may not be read.
 */
export const judgePaths = (found: readonly FoundPath[], rules: MediaRules): MediaVerdict => {
  const grants = new Set<string>()
  const outside: FoundPath[] = []
  for (const each of found) {
    const { place } = each
    if (place !== null && rules.roots.some(({ real }) => liesWithin(real, place))) continue
    const known = place === null ? undefined : rules.granted.find((grant) => liesWithin(grant, place))
    if (known !== undefined) grants.add(known)
    else if (rules.administers && place !== null) grants.add(place)
    else outside.push(each)
  }
  if (outside.length === 0) return { ok: true, grants: [...grants] }
  const errors = outside.slice(0, MAX_ERRORS).map(({ pointer, path }) => ({
    pointer,
    message: outsideMessage(path, rules.roots),
  }))
  return { ok: false, errors }
}

const outsideMessage = (path: string, roots: readonly MediaRoot[]): string => {
  const allowed = roots.map(({ named }) => named).join(', ')
  return oneLine`
    is ${quote(path)}, which is not inside a folder that streams may read (${allowed}), or a link leads out of it; move
    it there, or have an administrator add its folder to VEDETTE_MEDIA_ROOTS or create the stream with a token`
}
