// Where this device is served to others, by the settings of the start.
import type { Served } from '../../machines/discovery/announcement.ts'
import { isLoopbackAddress } from '../../machines/http/access.ts'
import type { Listen, Options } from '../options.ts'

const EVERYWHERE: readonly string[] = ['0.0.0.0', '::']

/** null: it is served to nobody but itself. */
export const findServedHosts = ({ http, tls }: Pick<Options, 'http' | 'tls'>): Served | null => {
  const [plain, secure] = [openOne(http), openOne(tls)]
  const first = plain ?? secure
  if (!first) return null
  const hosts = [plain, secure].flatMap((each) => (each ? [each.host] : []))
  return { hosts, port: first.port, tlsPort: secure?.port ?? null }
}

/** Whether it listens at an address of this device. */
export const isServedAt = ({ hosts }: Served, address: string): boolean =>
  hosts.some((host) => host === address || EVERYWHERE.includes(host))

const openOne = (at: Listen | null): Listen | undefined =>
  at && at.host !== 'localhost' && !isLoopbackAddress(at.host) ? at : undefined
