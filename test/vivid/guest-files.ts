// What the guest starts from: the modules of its kernel in the order in which they need one another, and one program.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run, type Unpacked } from './packages.ts'

/** The kernel, and the packed files that it unpacks into its memory. */
export interface Guest {
  readonly kernel: string
  readonly files: string
}

/** program: statically linked; the guest runs it first of all and as all there is. */
export const makeGuest = ({ root }: Unpacked, program: string, folder: string): Guest => {
  const place = join(folder, 'guest')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(join(place, 'modules'), { recursive: true })
  for (const empty of ['dev', 'proc', 'sys']) mkdirSync(join(place, empty))
  const order = modulesFor('vivid', root)
  for (const path of order) copyFileSync(path, join(place, 'modules', basename(path)))
  writeFileSync(join(place, 'modules/order'), order.map((path) => `${basename(path)}\n`).join(''))
  copyFileSync(program, join(place, 'init'))

  const names = globSync('**', { cwd: place }).filter((name) => name !== '.')
  const [busybox] = globSync('**/bin/busybox', { cwd: root })
  const archive = run(join(root, busybox as string), ['cpio', '-o', '-H', 'newc'], {
    cwd: place,
    input: Buffer.from(`${names.join('\n')}\n`),
  })
  const files = join(folder, 'guest.cpio.gz')
  writeFileSync(files, gzipSync(archive, { level: 1 }))
  const [kernel] = globSync('boot/vmlinuz-*', { cwd: root })
  return { kernel: join(root, kernel as string), files }
}

/** Those that a module needs come before it; each names them in a line of its own text. */
const modulesFor = (wanted: string, root: string): readonly string[] => {
  const paths = new Map(
    globSync('{,usr/}lib/modules/**/*.ko', { cwd: root }).map((path) => [nameOf(path), join(root, path)]),
  )
  const order: string[] = []
  const add = (name: string): void => {
    const path = paths.get(name)
    if (!path) throw new Error(`the kernel has no module ${name}`)
    if (order.includes(path)) return
    const [, needed = ''] = /\0depends=([^\0]*)\0/.exec(readFileSync(path, 'latin1')) ?? []
    for (const each of needed.split(',').filter(Boolean)) add(each.replaceAll('-', '_'))
    order.push(path)
  }
  add(wanted)
  return order
}

const nameOf = (path: string): string => basename(path, '.ko').replaceAll('-', '_')
