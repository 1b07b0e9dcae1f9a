// What a release of one architecture is put together from: what was built, and the packages that npm brought.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** An architecture, as Node names it. */
export type Arch = 'x64' | 'arm64'

/** The same, as Debian names it. */
export const DEBIAN_ARCH: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' }

/** What Node loads of it: engines, and programs of plugins. */
export const VISION_ADDONS = ['vedette.node', 'shared_memory.node'] as const

/** What is built beside the vision addon and started by the service; each is a process of its own. */
export const VISION_PROGRAMS = [
  ...(['cameras', 'picture-edit', 'board-corners', 'calibrate'] as const),
  ...(['capture-guide', 'colour-chart', 'vedette-confine', 'vedette-lamps', 'vedette-i2c'] as const),
] as const

/** Where that which depends on the architecture lies; all absolute. */
export interface Parts {
  readonly arch: Arch
  /** What the vision addon was built into. */
  readonly addon: string
  /** What the recording addon was built into. */
  readonly libav: string
  /** What the addon that speaks to systemd was built into. */
  readonly notify: string
  /** What npm installed for this architecture. */
  readonly modules: string
  /** Takes from a binary what only debuggers read. */
  readonly strip: string
}

/** Those of the machine that this runs on, which `npm start` has built. Throws a sentence when something is missing. */
export const partsOfThisMachine = (root: string): Parts => {
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    throw new Error(`releases are made for x64 and arm64, and this machine is ${process.arch}`)
  return requireAll({
    arch: process.arch,
    addon: join(root, 'native/addon/build'),
    libav: join(root, 'native/libav/build'),
    notify: join(root, 'native/notify/build'),
    modules: join(root, 'node_modules'),
    strip: 'strip',
  })
}

/** Gives them back when all that a release needs is there; else throws a sentence. */
export const requireAll = (parts: Parts): Parts => {
  const needed = [
    ...[...VISION_ADDONS, ...VISION_PROGRAMS].map((name) => join(parts.addon, name)),
    join(parts.libav, 'vedette_libav.node'),
    join(parts.notify, 'notify.node'),
    join(nodePackage(parts), 'bin/node'),
  ]
  for (const path of needed)
    if (!existsSync(path)) throw new Error(`a release needs ${path}, which is not there; sh native/setup.sh says why`)
  return parts
}

/** The package that brings Node. */
export const nodePackage = ({ modules, arch }: Parts): string => join(modules, `node-linux-${arch}`)
