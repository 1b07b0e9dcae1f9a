// The NT table under which each stream appears to the robot.
import { slug } from '../schema/slug.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'

/** What a table's name is made of. */
export type TableOwner = Pick<CanonicalManifest, 'id' | 'alias' | 'internal' | 'enabled' | 'extcam'>

/** The table a stream publishes, or the sentence that says why it publishes none. */
export type TableClaim = { readonly table: string } | { readonly parked: string }

/** Of the first stream; what the names of the others begin with. */
export const DEFAULT_TABLE = 'limelight'
const MAX_SLUG_LENGTH = 40

/**
 * The tables of all streams that have an adapter: those that are enabled, not internal and not excepted by their
 * manifest.
 *
 * A table that was asked for goes to the first stream that asks; later ones are parked. Streams that ask for none get
 * `limelight` (the first stream that is not internal) or `limelight-<alias>`, with a number behind when that is taken.
 * A stream that is switched off keeps its default name reserved, so that switching it changes no other stream's table.
 * streams: in order of creation.
 */
export const tablesFor = (streams: readonly TableOwner[]): ReadonlyMap<string, TableClaim> => {
  const visible = streams.filter((stream) => !stream.internal)
  const owners = new Map<string, string>()
  const claims = new Map<string, TableClaim>()
  for (const stream of visible) {
    const table = stream.extcam?.table
    if (table === undefined || !hasAdapter(stream)) continue
    const owner = owners.get(table)
    if (owner === undefined) owners.set(table, stream.id)
    claims.set(stream.id, owner === undefined ? { table } : { parked: taken(table, owner) })
  }
  visible.forEach((stream, n) => {
    if (stream.extcam?.table !== undefined) return
    const table = firstFree(
      n === 0 ? DEFAULT_TABLE : `${DEFAULT_TABLE}-${slug(stream.alias, MAX_SLUG_LENGTH) || stream.id}`,
      owners,
    )
    owners.set(table, stream.id)
    if (hasAdapter(stream)) claims.set(stream.id, { table })
  })
  return claims
}

const hasAdapter = ({ enabled, extcam }: TableOwner): boolean => enabled && extcam?.enabled !== false

const taken = (table: string, owner: string): string =>
  `the table ${table} belongs to the stream ${owner}; set another one in extcam.table of this stream`

const firstFree = (wanted: string, owners: ReadonlyMap<string, string>): string => {
  let table = wanted
  for (let n = 2; owners.has(table); n++) table = `${wanted}-${n}`
  return table
}
