// The addon that opens terminals: that of node-pty, built for this machine. What node-pty puts around it is left out:
// it throws away what is not read 200 ms after the program has ended, and does not say how much of what is typed waits.
import { createRequire } from 'node:module'
import { ReadStream } from 'node:tty'
import type { ProgramLine } from './wire.ts'

/** The functions of the addon (pty.cc of node-pty 1.1). */
interface PtyAddon {
  readonly fork: (
    file: string,
    args: readonly string[],
    environment: readonly string[],
    folder: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helper: string,
    exited: (code: number, signal: number) => void,
  ) => { readonly fd: number; readonly pid: number; readonly pty: string }
  readonly resize: (fd: number, columns: number, rows: number) => void
}

const SAME_USER = -1

const fromHere = createRequire(import.meta.url)
const ADDON = `@lydell/node-pty-${process.platform}-${process.arch}/pty.node`

/** Throws where there is none for this machine. */
export const loadPty = (): PtyAddon => fromHere(ADDON) as PtyAddon

/** Whether there is one for this machine; it is not loaded for that. */
export const hasPty = (): boolean => {
  try {
    return fromHere.resolve(ADDON) !== ''
  } catch {
    return false
  }
}

/** A program on a terminal of its own. */
export interface Pty {
  readonly pid: number
  /** What it shows; it ends with EIO when no process has the terminal open. */
  readonly stream: ReadStream
  /** Of the terminal as long as the stream is open; it does not block. */
  readonly fd: number
  readonly resize: (columns: number, rows: number) => void
}

/** Starts it. exited: told once; what it has written may still have to be read. signal: its number; 0: by none. */
export const openPty = (
  addon: PtyAddon,
  { file, args, env, folder, columns, rows }: ProgramLine,
  exited: (code: number, signal: number) => void,
): Pty => {
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const { fd, pid } = addon.fork(
    file,
    args,
    environment,
    folder,
    columns,
    rows,
    SAME_USER,
    SAME_USER,
    true,
    '', // of macOS alone
    exited,
  )
  return { pid, fd, stream: new ReadStream(fd), resize: (width, height) => addon.resize(fd, width, height) }
}
