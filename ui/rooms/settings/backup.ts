// A backup: what people have set on a device, as one document. Which of it is another one than what a device has now,
// and how that would be changed. Nothing here asks or draws.
import type { Documents } from '../../api/client.ts'

/** What stands in a backup. */
export const BACKUP_KINDS = ['pipeline', 'stream', 'robot', 'nt4'] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]

/** A document of a backup. */
export interface BackupItem {
  readonly kind: BackupKind
  /** Of a pipeline or stream; empty: there is one of its kind. */
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
}

/** A whole backup. */
export interface Backup {
  readonly format: typeof FORMAT
  readonly format_version: typeof FORMAT_VERSION
  readonly made_at: string
  readonly device: string
  readonly version: string
  readonly items: readonly BackupItem[]
}

const FORMAT = 'vedette-backup'
const FORMAT_VERSION = 1

/** What a device has now, as its interface gives it. */
export interface DeviceDocuments {
  readonly hostname: string
  readonly version: string
  readonly streams: readonly Documents['Stream'][]
  readonly graphs: readonly Documents['StoredGraph'][]
  readonly nt4: Documents['Nt4']
  readonly robot: Documents['RobotDimensions']
}

const withoutGrants = ({ media_grants, ...spec }: Documents['StreamSpec']): Record<string, unknown> => spec

/** The documents of a device, pipelines before the streams that refer to them. */
export const itemsOf = ({ streams, graphs, nt4, robot }: DeviceDocuments): readonly BackupItem[] => [
  ...graphs.map(({ id, spec }) => ({ kind: 'pipeline' as const, id, document: { ...spec } })),
  ...streams.map(({ id, spec }) => ({ kind: 'stream' as const, id, document: withoutGrants(spec) })),
  { kind: 'robot', id: '', document: { ...robot } },
  { kind: 'nt4', id: '', document: { ...nt4.spec } },
]

/** A backup of a device. */
export const backupOf = (documents: DeviceDocuments, atMs: number): Backup => ({
  format: FORMAT,
  format_version: FORMAT_VERSION,
  made_at: new Date(atMs).toISOString(),
  device: documents.hostname,
  version: documents.version,
  items: itemsOf(documents),
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a file; a string says why it is no backup. */
export const readBackup = (text: string): Backup | string => {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return 'This file is no JSON. A backup is one file that this page has saved, as it is.'
  }
  if (!isRecord(read) || read.format !== FORMAT || !Array.isArray(read.items))
    return 'This file is no backup of a device. Choose one that this page has saved.'
  if (read.format_version !== FORMAT_VERSION)
    return `This backup has format ${String(read.format_version)}; this device reads format ${FORMAT_VERSION}.`
  return read as unknown as Backup
}

/** What would become of an item. */
export type Verdict =
  | { readonly is: 'new' | 'same' }
  /** what: the names of the fields that differ. */
  | { readonly is: 'different'; readonly what: readonly string[] }
  | { readonly is: 'refused'; readonly why: string }

/** Whether two documents say the same, in whatever order their fields stand. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isSame(each, b[at]))
  if (!isRecord(a) || !isRecord(b)) return a === b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isSame(a[name], b[name]))
}

const fieldsOf = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isSame(a[name], b[name]))

/** An item beside what the device has. */
export const judge = (item: BackupItem, now: readonly BackupItem[]): Verdict => {
  if (!isRecord(item) || !BACKUP_KINDS.includes(item.kind) || !isRecord(item.document) || typeof item.id !== 'string')
    return { is: 'refused', why: 'This device does not know what this is. A newer version may have written it.' }
  const known = now.find(({ kind, id }) => kind === item.kind && id === item.id)
  if (!known) return { is: 'new' }
  const what = fieldsOf(known.document, item.document)
  return what.length === 0 ? { is: 'same' } : { is: 'different', what }
}

/** The merge patch (RFC 7396) that makes one document of another. */
export const mergePatch = (
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(from, to).map((name) => {
      const [before, after] = [from[name], to[name]]
      if (after === undefined) return [name, null]
      return [name, isRecord(before) && isRecord(after) ? mergePatch(before, after) : after]
    }),
  )
