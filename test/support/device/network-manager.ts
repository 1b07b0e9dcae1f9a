// A NetworkManager of one test's own: in a network and a file system of its own, with an interface `e0` whose other end
// `far` is another machine (10.99.0.1, 10.2.54.1). All of it ends with the test.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { linuxDbus } from '../../../native/dbus/linux.ts'
import type { DbusPort } from '../../../native/dbus/port.ts'
import { linuxNetwork } from '../../../native/network/linux.ts'
import type { NetworkPort } from '../../../native/network/port.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import type { ProgramOrder, ProgramsPort } from '../../../native/programs/port.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import type { SystemFiles } from '../../../native/system-files/port.ts'
import { busConfiguration } from '../dbus/bus.ts'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { until } from '../until.ts'

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const SBIN = `${process.env.PATH}:/usr/sbin:/sbin`
const MISSING = ['NetworkManager', 'dbus-daemon', 'ip', 'arping', 'nsenter'].filter(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: SBIN } }).status !== 0,
)

/** Why such a test is skipped; false: it can be done. */
export const noNetworkManager: string | false =
  MISSING.length > 0
    ? `${MISSING.join(', ')} missing here (packages network-manager, dbus, iproute2, iputils-arping)`
    : !isThere('unshare') || spawnSync('unshare', ['-m', '-n', 'true']).status !== 0
      ? 'a network of its own cannot be made here (unshare: it takes root)'
      : false

const CONFIGURATION = `[main]
plugins=keyfile
dns=none
auth-polkit=false
dhcp=internal
no-auto-default=*
[device-all]
match-device=interface-name:e*
managed=1
`

// sysfs read-only: by that NetworkManager knows that no udev will tell it of devices
const BEGIN = `
exec 2>"$1/said"
mount -t tmpfs none /run
mount -t sysfs -o ro none /sys
mount -t tmpfs none /etc/NetworkManager
mkdir -p /run/dbus /etc/NetworkManager/system-connections /var/lib/NetworkManager
mount -t tmpfs none /var/lib/NetworkManager
cp "$1/NetworkManager.conf" /etc/NetworkManager/
ip link set lo up
ip netns add far
ip link add e0 type veth peer name far netns far
ip -n far link set lo up
ip -n far link set far up
ip -n far address add 10.99.0.1/16 dev far
ip -n far address add 10.2.54.1/24 dev far
ip link set e0 up
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$1/bus"
dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile &
bus=$!
while ! [ -S "$1/bus" ]; do sleep 0.05; done
start() { NetworkManager --no-daemon >>"$1/log" 2>&1 & nm=$!; }
start "$1"
while read -r line; do eval "$line"; echo "done $?"; done
kill -9 "$nm" "$bus"
wait
`

/** A device with one cable. */
export interface OwnNetwork {
  readonly dbus: DbusPort
  readonly programs: ProgramsPort
  readonly files: SystemFiles
  readonly port: NetworkPort
  /** Where the folder of the test is; what NetworkManager logs is its file `log`. */
  readonly folder: string
  /** Runs a line of shell inside; gives its exit code. `$nm` is the process of NetworkManager. */
  readonly say: (line: string) => Promise<number>
  /** Ends NetworkManager as a crash does. */
  readonly kill: () => Promise<number>
  /** Starts it again, and waits until it is there. */
  readonly start: () => Promise<void>
  /** Whether the machine at the other end reaches an address of the device. */
  readonly reaches: (address: string) => boolean
}

/** Starts one. */
export const ownNetworkManager = async (t: Lifetime): Promise<OwnNetwork> => {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'NetworkManager.conf'), CONFIGURATION)
  writeFileSync(join(folder, 'bus.conf'), busConfiguration(join(folder, 'bus')))
  const child = spawn('unshare', ['-m', '-n', '--propagation', 'private', 'sh', '-c', BEGIN, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PATH: SBIN },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.after(() => {
    child.stdin.end() // it ends what it started, also when the test was killed
    return ended
  })
  const answers: ((code: number) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, code] = /^done (\d+)$/.exec(line) ?? []
    if (code !== undefined) answers.shift()?.(Number(code))
  })
  const say = (line: string) =>
    new Promise<number>((resolve) => {
      answers.push(resolve)
      child.stdin.write(`${line}\n`)
    })
  const within = ['-t', String(child.pid), '-m', '-n']
  const enter = ({ program, args, ...rest }: ProgramOrder): ProgramOrder => ({
    program: 'nsenter',
    args: [...within, program, ...args],
    ...rest,
  })
  const real = linuxPrograms()
  const programs: ProgramsPort = {
    run: (order) => real.run(enter(order)),
    listen: (order, told) => real.listen(enter(order), told),
  }
  const files = linuxSystemFiles(`/proc/${child.pid}/root`)
  const dbus = linuxDbus({ address: `unix:path=${join(folder, 'bus')}` })
  const port = linuxNetwork({ dbus, programs, files })
  const { run } = await import('effect/Effect').then(({ runPromise }) => ({ run: runPromise }))
  const isUp = async () => {
    const { refusal, interfaces } = await run(port.read)
    return refusal === null && interfaces.some(({ name, manager }) => name === 'e0' && manager === 'NetworkManager')
  }
  const untilUp = async () => void (await until('NetworkManager', isUp))
  await untilUp()
  return {
    dbus,
    programs,
    files,
    port,
    folder,
    say,
    kill: () => say('kill -9 $nm; wait $nm; true'),
    start: async () => {
      await say(`start ${folder}`)
      await untilUp()
    },
    reaches: (address) =>
      spawnSync(
        'nsenter',
        [...within, 'ip', 'netns', 'exec', 'far', 'arping', '-c', '1', '-w', '1', '-I', 'far', address],
        {
          env: { PATH: SBIN },
        },
      ).status === 0,
  }
}
