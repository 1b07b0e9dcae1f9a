// The ports of their own on which streams are served as the vendor's camera.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { EXTCAM_TABLES } from '../../actors/extcam/tokens.ts'
import { NT4_SETTINGS } from '../../actors/nt4/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import type { Area } from '../../api/endpoints/endpoint.ts'
import { parseNt4Target } from '../../machines/nt4/target.ts'
import type { PortField } from '../../machines/stream/extcam-ports.ts'
import { token } from '../../machines/token.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, OPTIONS, RECORD, supervision } from '../composition/tokens.ts'
import { API } from '../http/branch.ts'
import { serveApi } from '../http/serve.ts'
import type { Options } from '../options.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { type OwnPort, PortChildren } from './port-children.ts'

/** What is at the root of a port. */
const EXTCAM_ROOTS = token<(field: PortField, table: string) => Promise<readonly Area[]>>('extcam-roots')

/** Each is a server like that of the API, with the same rules, under which another table of endpoints lies. */
export const extcamPortsBranch = branch({
  offers: [
    offer(EXTCAM_ROOTS, { onBug: ON_BUG }, ({ onBug }, resolve) => async (field, table) => {
      const { rootArea } = await import('../../api/extcam/root.ts')
      return [rootArea(field, table, onBug(`extcam/${table}`))(resolve, () => [])]
    }),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    tables: EXTCAM_TABLES,
    options: OPTIONS,
    record: RECORD,
    api: API,
    roots: EXTCAM_ROOTS,
    nt4Settings: NT4_SETTINGS,
  },
  start: ({ options, api, roots, nt4Settings, ...parts }) =>
    Effect.suspend(() => {
      const serve = (field: PortField, table: string, port: number) =>
        serveApi({ ...api, areas: () => roots(field, table) }, { host: options.http.host, port })
      return keepAsWanted(
        parts,
        new PortChildren({ ...parts, own: () => ownPorts(options, nt4Settings().value.target), serve }),
      )
    }),
})

/**
 * The ports that the settings give to the service's own servers, whether or not these listen now: a stream that took
 * one would keep its server from starting.
 */
const ownPorts = ({ http, tls }: Options, nt4Target: string): readonly OwnPort[] => {
  const nt4 = parseNt4Target(nt4Target)
  return [
    { what: 'the API (HTTP)', port: http.port },
    ...(tls ? [{ what: 'the API over TLS (HTTPS)', port: tls.port }] : []),
    ...(nt4.ok && nt4.target.kind === 'serve' ? [{ what: 'the NT4 server', port: nt4.target.at.port }] : []),
  ]
}
