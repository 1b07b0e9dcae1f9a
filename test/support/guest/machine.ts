// An emulated machine: started, told commands, and cut from its power. Its clock counts instructions, a nanosecond for
// each: what takes it 10 s takes as long by its clock on a busy machine. It is a slow one, of 1 GHz.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { until } from '../until.ts'

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
  /** Ends it as a cut of the power does. */
  readonly cutPower: () => Promise<void>
}

/** extra: a folder that the machine has as its second disk, read-only. */
export const machine = (t: Lifetime, image: Bootable, extra?: string): Machine => {
  const folder = folderOf(t)
  const [disk, second, log, port] = ['disk.qcow2', 'second', 'serial.log', 'talk'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', image.disk, '-F', 'raw', disk])
  if (extra)
    execFileSync('mksquashfs', [extra, second, '-quiet', '-no-progress', '-comp', 'zstd', '-Xcompression-level', '1'])
  let child: ChildProcess | undefined
  let talk: Talk | undefined

  const start = async (): Promise<void> => {
    rmSync(port, { force: true })
    child = spawn(
      'nice',
      ['-n', '5', 'qemu-system-x86_64', ...options({ image, disk, log, port, second: extra && second })],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    await until('the serial port', () => existsSync(port), Boolean)
    talk = new Talk(createConnection(port))
    await within(START_LIMIT_MS, talk.next(), () => `the machine did not start:\n${tailOf(log)}`)
  }
  const cutPower = async (): Promise<void> => {
    talk?.close()
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
  return {
    start,
    run,
    cutPower,
    reboot: async () => {
      const { say, next } = talking()
      say('systemctl reboot')
      const isReady = async (): Promise<void> => ((await next()) === 'ready' ? undefined : isReady())
      await within(START_LIMIT_MS, isReady(), () => `the machine did not start again:\n${tailOf(log)}`)
    },
    output: async (command) => {
      const { code, output } = await run(command)
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
      return output
    },
  }
}

interface Hardware {
  readonly image: Bootable
  readonly disk: string
  readonly second: string | undefined
  readonly log: string
  readonly port: string
}

const options = ({ image, disk, second, log, port }: Hardware): readonly string[] => [
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
]

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
