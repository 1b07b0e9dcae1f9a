// A bus of one test's own: the daemon that every Debian has, in a folder of the test.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { arrival } from '../until.ts'

/** Why such a test is skipped; false: it can be done. */
export const noBus: string | false =
  spawnSync('dbus-daemon', ['--version']).status === 0 ? false : 'there is no dbus-daemon here (package dbus)'

/** Whoever may connect may do everything: the rights of the real one are those of the system. */
export const busConfiguration = (socket: string): string => `<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

/** A bus that runs. */
export interface Bus {
  readonly address: string
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>
  /** Runs it again where it was. */
  readonly start: () => Promise<void>
}

/** Starts a bus, which ends with the test. */
export const startBus = async (t: Lifetime): Promise<Bus> => {
  const folder = folderOf(t)
  const socket = join(folder, 'bus')
  const configuration = join(folder, 'bus.conf')
  writeFileSync(configuration, busConfiguration(socket))
  let kill = async () => {}
  const start = async () => {
    rmSync(socket, { force: true })
    const words = [`--config-file=${configuration}`, '--nofork', '--nopidfile', '--print-address']
    const daemon = spawn('dbus-daemon', words, { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(daemon, 'exit')
    kill = async () => {
      daemon.kill('SIGKILL')
      await ended
    }
    await arrival('the address of the bus', once(daemon.stdout, 'data')) // it listens by then
  }
  await start()
  t.after(() => kill())
  return { address: `unix:path=${socket}`, kill: () => kill(), start }
}
