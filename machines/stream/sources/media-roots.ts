// Which files of the device a stream may read: those inside a media root, and those that an administrator allowed for it. Where a path really
// leads is found out by native/media-roots; what follows from that is decided here.
import type { SchemaError } from '../../schema/explain.ts'
import { quote } from '../../schema/quote.ts'
import type { SourceDocument } from './source.ts'

/** A folder from which files may be read. named: as the administrator wrote it. real: with every symbolic link followed. */
export interface MediaRoot {
  readonly named: string
  readonly real: string
}

/** A path that a manifest names, and where it stands there (RFC 6901). */
export interface NamedPath {
  readonly pointer: string
  readonly path: string
}

/** The files and folders that a source reads; none for a camera that has no files. */
export const pathsOf = (source: SourceDocument): readonly NamedPath[] => {
  if (source.backend === 'file')
    return source.path === undefined ? [] : [{ pointer: '/source/path', path: source.path }]
  if (source.backend !== 'images') return []
  if (typeof source.path === 'string') return [{ pointer: '/source/path', path: source.path }]
  return source.path.map((path, index) => ({ pointer: `/source/path/${index}`, path }))
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

/** What an order to read files is judged by. granted: real places that this stream may read already. administers: its sender showed a valid token. */
export interface MediaRules {
  readonly roots: readonly MediaRoot[]
  readonly granted: readonly string[]
  readonly administers: boolean
}

/**
 * Whether the file system may be asked where a path leads.
 *
 * One that is written as outside of all roots is refused without a look at it: neither the answer nor the time it takes then tells what is there.
 */
export const mayBeLookedAt = (path: string, { roots, granted, administers }: MediaRules): boolean =>
  administers ||
  roots.some(({ named, real }) => liesWithin(named, path) || liesWithin(real, path)) ||
  granted.some((place) => liesWithin(place, path))

/** A path with the place to which it leads; null: that is not known, or was not looked at. */
export interface FoundPath extends NamedPath {
  readonly place: string | null
}

/** grants: the places outside of the roots that the stream may read from now on, to be stored with it. */
export type MediaVerdict =
  | { readonly ok: true; readonly grants: readonly string[] }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }

const MAX_ERRORS = 16 // a list of ten thousand files is wrong in one way, not in ten thousand

/** Judges the paths of a source. The answer is the same for a place that is not there and for one that may not be read. */
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

const outsideMessage = (path: string, roots: readonly MediaRoot[]): string =>
  `is ${quote(path)}, which is not inside a folder that streams may read (${roots.map(({ named }) => named).join(', ')}), or a link leads out of it; ` +
  'move it there, or have an administrator add its folder to VEDETTE_MEDIA_ROOTS or create the stream with a token'
