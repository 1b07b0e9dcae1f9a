// Debian's packages, unpacked into a folder of the checkout: nothing is installed on the machine that the test runs on.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs a program; throws what it said when it fails. */
export const run = (
  program: string,
  args: readonly string[],
  options: { cwd?: string; input?: Buffer } = {},
): Buffer => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 1 << 28, ...options })
  if (error) throw error
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.toString().slice(-2000)}`)
  return stdout
}

/** The machine that is emulated, and what goes into it. */
const PACKAGES = ['qemu-system-x86', 'seabios', 'busybox-static']
const KERNEL = 'linux-image-amd64'

/** Packages that were unpacked. */
export interface Unpacked {
  /** Where everything was unpacked to. */
  readonly root: string
  /** The packages of the kernel and of the emulator, with their versions. */
  readonly names: readonly string[]
}

/** Downloads and unpacks what is not there yet. */
export const unpack = (folder: string): Unpacked => {
  const [archives, root, done] = [join(folder, 'archives'), join(folder, 'root'), join(folder, 'done')]
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(archives, 'partial'), { recursive: true })
    mkdirSync(root)
    const kernel = /Depends: (linux-image-\S+)/.exec(run('apt-cache', ['depends', KERNEL]).toString())?.[1]
    if (!kernel) throw new Error(`the package ${KERNEL} is not known here; run apt-get update first`)
    const quietly = ['-qq', '-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1']
    run('apt-get', [
      ...quietly,
      'install',
      '--download-only',
      '--reinstall',
      '-y',
      '--no-install-recommends',
      ...PACKAGES,
    ])
    run('apt-get', ['-qq', 'download', kernel], { cwd: archives })
    for (const archive of globSync('*.deb', { cwd: archives })) run('dpkg-deb', ['-x', join(archives, archive), root])
    writeFileSync(done, '')
  }
  return { root, names: globSync('*.deb', { cwd: archives }).sort() }
}
