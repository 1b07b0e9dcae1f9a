// An emulated machine: started, told commands, plugged into, and cut from its power. Its clock counts instructions, a
// nanosecond for each: what takes it 10 s takes as long by its clock on a busy machine. It is a slow one, of 1 GHz.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { until } from '../until.ts'
import { Monitor } from './monitor.ts'

const MINUTE_MS = 60_000
const START_LIMIT_MS = 15 * MINUTE_MS
const COMMAND_LIMIT_MS = 20 * MINUTE_MS
const TAIL = 4_000

/** What a command did. */
export interface Answer {
  readonly code: number
  readonly output: string
}

/** What a machine starts from. */
export interface Bootable {
  /** A raw disk that is never written. */
  readonly disk: string
  /** Left out: the disk is booted by UEFI. */
  readonly kernel?: string
  readonly initrd?: string
}

/** What a machine has besides its disk. */
export interface Hardware {
  /** A folder that it has as its second disk, read-only. */
  readonly extra?: string
  /** The network that it is in; left out: it has none. */
  readonly network?: TeamNetwork
  /** Further options of QEMU. */
  readonly options?: readonly string[]
}

/** A network in which nobody is but the machine and what gives it an address; the test reaches it through that. */
export interface TeamNetwork {
  /** As `10.12.34`, of a network /24. */
  readonly prefix: string
  /** Whom `.20` is given by DHCP, and who is reached at these, by their last number. */
  readonly hosts: readonly number[]
  /** Where programs of the machine listen that the test asks. */
  readonly port: number
}

/** A machine with its disk, which outlives its runs. */
export interface Machine {
  /** Starts it, and waits until it takes commands. */
  readonly start: () => Promise<void>
  /** Runs a command in a shell. */
  readonly run: (command: string) => Promise<Answer>
  /** The same; fails when it ends with another code than 0. */
  readonly output: (command: string) => Promise<string>
  /** Starts it again from within, and waits until it takes commands. */
  readonly reboot: () => Promise<void>
  /** Waits until it takes commands again after something else has started it again. */
  readonly rebooted: () => Promise<void>
  /** Asks QEMU itself, by the words of its protocol QMP. */
  readonly monitor: (command: string, args?: object) => Promise<unknown>
  /** The port of this host that leads to an address of the machine in its network. */
  readonly portTo: (address: string) => Promise<number>
  /** Ends it as a cut of the power does. */
  readonly cutPower: () => Promise<void>
}

/** Makes one; it is started by `start`, and ends with the test. */
export const machine = (t: Lifetime, image: Bootable, { extra, network, options = [] }: Hardware = {}): Machine => {
  const folder = folderOf(t)
  const [disk, second, log, port, control] = ['disk.qcow2', 'second', 'serial.log', 'talk', 'control'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string]
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', image.disk, '-F', 'raw', disk])
  if (extra)
    execFileSync('mksquashfs', [extra, second, '-quiet', '-no-progress', '-comp', 'zstd', '-Xcompression-level', '1'])
  const words = [
    ...optionsOf({ image, disk, log, port, control, second: extra && second }),
    ...(network ? networkOptions(network) : []),
    ...options,
  ]
  let child: ChildProcess | undefined
  let talk: Talk | undefined
  let asked: Monitor | undefined

  const start = async (): Promise<void> => {
    for (const each of [port, control]) rmSync(each, { force: true })
    child = spawn('nice', ['-n', '5', 'qemu-system-x86_64', ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
    await until('the serial port', () => existsSync(port) && existsSync(control), Boolean)
    talk = new Talk(createConnection(port))
    asked = new Monitor(createConnection(control))
    await within(START_LIMIT_MS, talk.next(), () => `the machine did not start:\n${tailOf(log)}`)
  }
  const cutPower = async (): Promise<void> => {
    talk?.close()
    asked?.close()
    const ended = child
    child = undefined
    if (!ended || ended.exitCode !== null) return
    const end = once(ended, 'exit')
    ended.kill('SIGKILL')
    await end
  }
  t.after(cutPower)
  const talking = (): Pick<Talk, 'say' | 'next'> => {
    const now = talk
    if (!now) throw new Error('the machine was not started')
    return { say: (command) => now.say(command), next: () => now.next() }
  }
  const run = async (command: string): Promise<Answer> => {
    const { say, next } = talking()
    say(command)
    const line = await within(COMMAND_LIMIT_MS, next(), () => `${command} did not end:\n${tailOf(log)}`)
    const [code = '', output = ''] = line.split(' ')
    return { code: Number(code), output: Buffer.from(output, 'base64').toString() }
  }
  const rebooted = async (): Promise<void> => {
    const { next } = talking()
    const isReady = async (): Promise<void> => ((await next()) === 'ready' ? undefined : isReady())
    await within(START_LIMIT_MS, isReady(), () => `the machine did not start again:\n${tailOf(log)}`)
  }
  const monitor: Machine['monitor'] = async (command, args) => {
    if (!asked) throw new Error('the machine was not started')
    return asked.ask(command, args)
  }
  return {
    start,
    run,
    cutPower,
    rebooted,
    monitor,
    portTo: async (address) => {
      const told = String(await monitor('human-monitor-command', { 'command-line': 'info usernet' }))
      const found = told.match(/^\s*TCP\[HOST_FORWARD\].*$/gm)?.map((line) => line.trim().split(/\s+/)) ?? []
      const port = found.find((row) => row[4] === address)?.[3]
      if (port === undefined) throw new Error(`nothing leads to ${address}:\n${told}`)
      return Number(port)
    },
    reboot: async () => {
      talking().say('systemctl reboot')
      await rebooted()
    },
    output: async (command) => {
      const { code, output } = await run(command)
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
      return output
    },
  }
}

interface Files {
  readonly image: Bootable
  readonly disk: string
  readonly second: string | undefined
  readonly log: string
  readonly port: string
  readonly control: string
}

const optionsOf = ({ image, disk, second, log, port, control }: Files): readonly string[] => [
  ...['-accel', 'tcg', '-icount', 'shift=0,sleep=on', '-M', 'q35', '-cpu', 'max', '-m', '1024', '-nodefaults'],
  ...['-display', 'none', '-serial', `file:${log}`],
  ...(image.kernel && image.initrd
    ? [
        ...['-kernel', image.kernel, '-initrd', image.initrd],
        ...['-append', 'console=ttyS0 quiet panic=-1 mitigations=off no_timer_check systemd.show_status=0'],
      ]
    : ['-bios', '/usr/share/ovmf/OVMF.fd']),
  ...['-drive', `file=${disk},if=virtio,format=qcow2,cache=unsafe`],
  ...(second ? ['-drive', `file=${second},if=virtio,format=raw,readonly=on`] : []),
  ...['-device', 'virtio-rng-pci', '-device', 'virtio-serial-pci'],
  ...['-chardev', `socket,id=talk,path=${port},server=on,wait=off`, '-device', 'virtserialport,chardev=talk,name=talk'],
  ...['-qmp', `unix:${control},server=on,wait=off`],
]

/** Who is behind it answers at `.4` and gives `.20`; the world outside is not reached. */
const networkOptions = ({ prefix, hosts, port }: TeamNetwork): readonly string[] => {
  const leads = hosts.map((host) => `hostfwd=tcp:127.0.0.1:0-${prefix}.${host}:${port}`)
  const net = [`net=${prefix}.0/24`, `host=${prefix}.4`, `dns=${prefix}.3`, `dhcpstart=${prefix}.20`, 'restrict=on']
  return [
    ...['-netdev', ['user', 'id=cable', ...net, ...leads].join(',')],
    ...['-device', 'virtio-net-pci,netdev=cable,id=card,mac=52:54:00:12:34:56'],
  ]
}

/** Lines in both directions. */
class Talk {
  readonly #socket: Socket
  readonly #lines: AsyncIterator<string>

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => {}) // the machine has ended; what waits for a line says so
    this.#lines = createInterface(socket)[Symbol.asyncIterator]()
  }

  say(command: string): void {
    this.#socket.write(`${Buffer.from(command).toString('base64')}\n`)
  }

  async next(): Promise<string> {
    const { done, value } = await this.#lines.next()
    if (done) throw new Error('the machine has ended')
    return value
  }

  close(): void {
    this.#socket.destroy()
  }
}

const tailOf = (log: string): string => (existsSync(log) ? readFileSync(log, 'utf8').slice(-TAIL) : '')

const within = async <T>(limitMs: number, promise: Promise<T>, why: () => string): Promise<T> => {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error(why())), limitMs)
  try {
    return await Promise.race([promise, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
