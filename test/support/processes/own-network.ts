// A network of one test's own, for programs that ask for names: the kernel gives it to anybody, where user namespaces
// are allowed.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { folderOf } from './folder.ts'

const UNSHARE = ['--user', '--map-root-user', '--mount', '--net', 'sh', '-ec'] as const
const BEGIN = oneLine`
  ip link set lo up; ip address add 10.9.9.9/32 dev lo; for file in hosts nsswitch.conf resolv.conf; do mount --bind
  "$1/$file" "/etc/$file"; done
`

/** Why such a test is skipped; false: it can be done. */
export const noOwnNetwork: string | false =
  spawnSync('unshare', [...UNSHARE, BEGIN, 'sh', '/etc']).status === 0
    ? false
    : 'a network of its own cannot be made here (unshare, mount, ip: user namespaces may be switched off)'

/**
 * What a Node program prints in a network that consists of the loopback, which is 10.9.9.9 as well. Names are those of
 * `hosts`; all others are asked for at 127.0.0.1:53, where the program may answer: who is not answered waits 30 s.
 */
export const inOwnNetwork = async (t: TestContext, script: string, hosts = ''): Promise<string> => {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${hosts}`)
  writeFileSync(join(folder, 'nsswitch.conf'), 'hosts: files dns\n')
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:30 attempts:1\n')
  const child = spawn('unshare', [...UNSHARE, `${BEGIN}; shift; exec "$@"`, 'sh', folder, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  t.after(() => {
    child.kill('SIGKILL')
    return closed
  })
  const said = await text(child.stdout)
  await closed
  return said
}
