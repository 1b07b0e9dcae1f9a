// A disk that loses its power: names and contents are kept apart, and of what was not synced any part may have got
// there. The model is that of docs/decisions/0275-what-a-power-cut-may-leave.md.
import { basename, dirname } from 'node:path'
import type { Content, Disk } from '../../../native/update/disk.ts'
import type { Random } from '../engine/random-graphs.ts'

interface Folder {
  readonly names: Map<string, Item>
  /** As they are on the disk. */
  readonly kept: Map<string, Item>
  /** What has changed since, in order. */
  changes: ((names: Map<string, Item>) => void)[]
}

interface File {
  content: Buffer
  /** What is on the disk; undefined: not even that it is empty. */
  kept: Buffer | undefined
}

type Item = Folder | File

const isFolder = (item: Item | undefined): item is Folder => item !== undefined && 'names' in item

const newFolder = (): Folder => ({ names: new Map(), kept: new Map(), changes: [] })

/** The power is gone: nothing works any more. */
export class PowerCut extends Error {}

/** Steps of which the disk knows nothing: as a program that forgot to sync. */
export type IsForgotten = (path: string) => boolean

/** Such a disk. */
export class ModelDisk implements Disk {
  readonly #root: Folder
  readonly #isForgotten: IsForgotten
  #stepsLeft = Number.POSITIVE_INFINITY
  steps = 0

  constructor(isForgotten: IsForgotten = () => false, root: Folder = newFolder()) {
    this.#isForgotten = isForgotten
    this.#root = root
  }

  get isCut(): boolean {
    return this.#stepsLeft < 0
  }

  /** Cuts the power before the step of this number from now on. */
  cutAfter(steps: number): void {
    this.#stepsLeft = steps
  }

  /** All that was done until now is on the disk. */
  settle(): void {
    settle(this.#root)
  }

  /** The disk as the next start may find it. */
  afterCut(random: Random): ModelDisk {
    return new ModelDisk(this.#isForgotten, survivorOf(this.#root, random, new Map()) as Folder)
  }

  async read(path: string): Promise<Buffer | undefined> {
    this.#refuse()
    const item = this.#find(path)
    return item && !isFolder(item) ? Buffer.from(item.content) : undefined
  }

  async list(path: string): Promise<readonly string[]> {
    this.#refuse()
    const item = this.#find(path)
    return isFolder(item) ? [...item.names.keys()] : []
  }

  async makeFolder(path: string): Promise<void> {
    if (path === '/' || isFolder(this.#find(path))) return
    await this.makeFolder(dirname(path))
    this.#step()
    this.#put(path, newFolder())
  }

  async write(path: string, content: Content): Promise<void> {
    this.#step()
    if (this.#find(path)) throw new Error(`EEXIST ${path}`)
    const file: File = { content: Buffer.alloc(0), kept: undefined }
    this.#put(path, file)
    const pieces = content instanceof Uint8Array ? [content] : content
    for await (const piece of pieces) {
      this.#step()
      file.content = Buffer.concat([file.content, piece])
    }
  }

  async sync(path: string): Promise<void> {
    this.#step()
    const item = this.#find(path)
    if (!item) throw new Error(`ENOENT ${path}`)
    if (this.#isForgotten(path)) return
    if (!isFolder(item)) {
      item.kept = item.content
      return
    }
    for (const change of item.changes) change(item.kept)
    item.changes = []
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step()
    const [item, there, folder] = [this.#find(from), this.#find(to), this.#folderOf(from)]
    if (!item || folder !== this.#folderOf(to)) throw new Error(`ENOENT ${from}`)
    if (isFolder(there) && there.names.size > 0) throw new Error(`ENOTEMPTY ${to}`)
    change(folder, (names) => {
      // of a name that never got to the disk, nothing is put in the place of another
      if (names.get(basename(from)) !== item) return
      names.delete(basename(from))
      names.set(basename(to), item)
    })
  }

  async remove(path: string): Promise<void> {
    const item = this.#find(path)
    if (!item) return
    if (isFolder(item)) for (const name of item.names.keys()) await this.remove(`${path}/${name}`)
    this.#step()
    change(this.#folderOf(path), (names) => void names.delete(basename(path)))
  }

  async free(): Promise<number> {
    return 1e12
  }

  /** Writes as a database does: on the disk when it is done. */
  async commit(path: string, content: Buffer): Promise<void> {
    this.#step()
    const file: File = { content, kept: content }
    const folder = this.#folderOf(path)
    for (const names of [folder.names, folder.kept]) names.set(basename(path), file)
  }

  #step(): void {
    this.#stepsLeft -= 1
    this.#refuse()
    this.steps += 1
  }

  #refuse(): void {
    if (this.isCut) throw new PowerCut('the power is gone')
  }

  #find(path: string): Item | undefined {
    let item: Item | undefined = this.#root
    for (const part of path.split('/').filter(Boolean)) item = isFolder(item) ? item.names.get(part) : undefined
    return item
  }

  #folderOf(path: string): Folder {
    const folder = this.#find(dirname(path))
    if (!isFolder(folder)) throw new Error(`ENOENT ${dirname(path)}`)
    return folder
  }

  #put(path: string, item: Item): void {
    change(this.#folderOf(path), (names) => void names.set(basename(path), item))
  }
}

const change = (folder: Folder, how: (names: Map<string, Item>) => void): void => {
  how(folder.names)
  folder.changes.push(how)
}

const settle = (item: Item): void => {
  if (!isFolder(item)) {
    item.kept = item.content
    return
  }
  for (const change of item.changes) change(item.kept)
  item.changes = []
  for (const each of item.names.values()) settle(each)
}

/** A folder keeps the names that were synced, and any of the changes since; a file the old, the new or half of it. */
const survivorOf = (item: Item, random: Random, known: Map<Item, Item>): Item => {
  const before = known.get(item)
  if (before) return before
  if (!isFolder(item)) {
    const content = contentAfter(item, random)
    const file: File = { content, kept: content }
    known.set(item, file)
    return file
  }
  const names = new Map(item.kept)
  for (const change of item.changes) if (random(2) === 0) change(names)
  const kept = new Map([...names].map(([name, each]) => [name, survivorOf(each, random, known)]))
  const folder: Folder = { names: new Map(kept), kept, changes: [] }
  known.set(item, folder)
  return folder
}

const contentAfter = ({ content, kept }: File, random: Random): Buffer => {
  if (kept === content) return content
  const choices = [kept ?? Buffer.alloc(0), content, content.subarray(0, random(content.length + 1))]
  return choices[random(choices.length)] as Buffer
}
