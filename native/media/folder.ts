// The folder of the media: where the files of an item are, and how they come and go so that a power cut leaves them
// whole or not at all.
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk } from '../../machines/media/disk-space.ts'
import { SIDE_CARS, type SideCar } from '../../machines/media/item.ts'

/** Of the data directory. */
export const MEDIA_FOLDER = 'media'

const ITEMS = ''
const SIDE = 'side-cars'
const COMING = 'incoming'
const NOT_OFFERED = 'EINVAL' // some network file systems cannot sync a folder; the files themselves are synced by then

/** A file of an item: its content, or what lies beside it. */
export type Part = 'content' | SideCar
const PARTS: readonly Part[] = ['content', ...SIDE_CARS]

/**
 * Names of files in the folder. Side-cars and what is being written lie in folders of their own, whose names no item
 * can have.
 */
export class MediaFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Where a file of an item lies. */
  at(name: string, part: Part = 'content'): string {
    return part === 'content' ? join(this.path, ITEMS, name) : join(this.path, SIDE, sideName(name, part))
  }

  /** Where it lies while it is being written. */
  coming(name: string, part: Part = 'content'): string {
    return join(this.path, COMING, part === 'content' ? name : sideName(name, part))
  }

  async make(): Promise<void> {
    for (const folder of [ITEMS, SIDE, COMING]) await mkdir(join(this.path, folder), { recursive: true })
  }

  /** What lies there, by name. Folders are none of it. */
  async list(): Promise<{
    readonly items: readonly string[]
    readonly side: readonly string[]
    readonly coming: readonly string[]
  }> {
    const filesIn = async (folder: string) =>
      (await readdir(join(this.path, folder), { withFileTypes: true }))
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
    return { items: await filesIn(ITEMS), side: await filesIn(SIDE), coming: await filesIn(COMING) }
  }

  /** Makes an empty file for an item that begins; it is on the disk with its name. */
  async begin(name: string): Promise<void> {
    const file = await open(this.coming(name), 'wx')
    await file.close()
    await this.#sync(COMING)
  }

  /** Has a file that is being written on the disk. The number of its bytes, or undefined when there is none. */
  async settle(name: string, part: Part): Promise<number | undefined> {
    try {
      await using file = await openPlain(this.coming(name, part))
      await file.sync()
      return (await file.stat()).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** How much of an item there is so far while it is being written. */
  async comingBytes(name: string): Promise<number> {
    const sizes = PARTS.map((part) =>
      stat(this.coming(name, part)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 0 : Promise.reject(error)),
      ),
    )
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }

  /** Puts a file where it belongs; does nothing when it is there. */
  async place(name: string, part: Part): Promise<void> {
    await rename(this.coming(name, part), this.at(name, part)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  /** Puts a file of its own where one beside an item belongs; what lay there is gone. */
  async attach(path: string, name: string, part: Part): Promise<void> {
    await rename(path, this.at(name, part))
  }

  /** Has on the disk what was placed or removed. */
  async settleNames(): Promise<void> {
    for (const folder of [ITEMS, SIDE, COMING]) await this.#sync(folder)
  }

  /** Removes all files of an item, wherever they are. */
  async remove(name: string): Promise<void> {
    for (const part of PARTS) await this.removePart(name, part)
  }

  async removePart(name: string, part: Part): Promise<void> {
    await rm(this.coming(name, part), { force: true })
    await rm(this.at(name, part), { force: true })
  }

  /** Throws a file of its own away that was not attached. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  async disk(): Promise<Disk> {
    const { bsize, blocks, bavail } = await statfs(this.path)
    return { total_bytes: bsize * blocks, free_bytes: bsize * bavail }
  }

  async #sync(folder: string): Promise<void> {
    await using handle = await open(join(this.path, folder), 'r')
    await handle.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== NOT_OFFERED) throw error
    })
  }
}

const sideName = (name: string, part: Part): string => `${name}.${part}`

/** The item to which a file among the side-cars belongs, and which it is. */
export const ofSideName = (file: string): { readonly name: string; readonly part: SideCar } | undefined => {
  const part = SIDE_CARS.find((each) => file.endsWith(`.${each}`))
  return part && { name: file.slice(0, -part.length - 1), part }
}

/** Opens a file for reading, and nothing that is no file: a link leads elsewhere, and a pipe would never answer. */
export const openPlain = async (path: string): Promise<FileHandle> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const status = await file.stat()
  if (status.isFile()) return file
  await file.close()
  throw Object.assign(new Error(`${path} is not a file`), { code: 'ENOENT', syscall: 'open' })
}
