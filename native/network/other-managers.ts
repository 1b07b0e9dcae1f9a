// Who else gives an interface its addresses, as far as files say it: networkd by what it writes of its links, ifupdown
// by its list. Both are read only.
import type { NetworkInterface } from '../../machines/network/interface.ts'
import type { SystemFiles } from '../system-files/port.ts'

/** What one of them says of an interface. */
export type ManagedBy = Pick<NetworkInterface, 'manager' | 'method' | 'profile' | 'dns'>

/** For interfaces by name. */
export const readOtherManagers = async (
  files: SystemFiles,
  names: readonly string[],
): Promise<ReadonlyMap<string, ManagedBy>> => {
  const listed = await interfacesListed(files)
  const servers = serversIn(await files.text('/etc/resolv.conf'))
  const found = await Promise.all(
    names.map(async (name) => {
      const index = await files.text(`/sys/class/net/${name}/ifindex`)
      const of = (what: string) =>
        /^\d+$/.test(index ?? '') ? files.text(`/run/systemd/netif/${what}/${index}`) : null
      const byLink = byNetworkd(await of('links'), (await of('leases')) !== null)
      return [name, byLink ?? byIfupdown(name, listed, servers)] as const
    }),
  )
  return new Map(found.flatMap(([name, by]) => (by ? [[name, by] as const] : [])))
}

/** Of an interface that nobody looks after. */
export const byNobody: ManagedBy = { manager: 'nobody', method: null, profile: null, dns: [] }

/** networkd's word on a link: lines of NAME=value. hasLease: whether it was given its address by the network. */
const byNetworkd = (text: string | null, hasLease: boolean): ManagedBy | undefined => {
  const said = new Map((text ?? '').split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  const state = said.get('ADMIN_STATE')
  if (state === undefined || state === 'unmanaged' || state === 'pending' || state === 'initialized') return undefined
  const file = said.get('NETWORK_FILE')?.split('/').at(-1)
  return {
    manager: 'networkd',
    method: hasLease ? 'dhcp' : null,
    profile: file ? { name: file, is_ours: false, is_active: state === 'configured' } : null,
    dns: (said.get('DNS') ?? '').split(' ').filter(Boolean),
  }
}

const METHODS: Readonly<Record<string, NetworkInterface['method']>> = {
  dhcp: 'dhcp',
  static: 'static',
  manual: 'off',
}

const byIfupdown = (
  name: string,
  listed: ReadonlyMap<string, string>,
  servers: readonly string[],
): ManagedBy | undefined => {
  const method = listed.get(name)
  if (method === undefined || method === 'loopback') return undefined
  return {
    manager: 'ifupdown',
    method: METHODS[method] ?? null,
    profile: { name: `/etc/network/interfaces`, is_ours: false, is_active: true },
    dns: [...servers],
  }
}

/** `iface NAME inet METHOD`, in the list and in the files beside it. */
const interfacesListed = async (files: SystemFiles): Promise<ReadonlyMap<string, string>> => {
  const folder = '/etc/network/interfaces.d'
  const names = (await files.names(folder)).filter((name) => /^[\w-]+$/.test(name)) // as ifup itself does
  const texts = await Promise.all(
    ['/etc/network/interfaces', ...names.map((name) => `${folder}/${name}`)].map(files.text),
  )
  return new Map(
    texts.flatMap((text) =>
      [...(text ?? '').matchAll(/^[ \t]*iface[ \t]+(\S+)[ \t]+inet[ \t]+(\S+)/gm)].map(
        ([, name, method]) => [name as string, method as string] as const,
      ),
    ),
  )
}

const serversIn = (text: string | null): readonly string[] =>
  [...(text ?? '').matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map(([, server]) => server as string)
