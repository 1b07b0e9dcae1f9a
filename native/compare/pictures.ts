// The pictures of a folder, and where their comparisons go.

import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { oneLine } from '../../machines/schema/one-line.ts'

/** A picture and where its drawn copy goes. */
export interface PicturePair {
  /** Of the file in its folder. */
  readonly name: string
  /** Paths. */
  readonly from: string
  /** Paths. */
  readonly to: string
}

/** What a person can mend; its message says how. */
export class CannotCompare extends Error {}

const PICTURE = /\.(jpe?g|png)$/i

/** Its pictures, by name, and the folder `compare` in it made. Throws CannotCompare. */
export const picturesIn = (folder: string): readonly PicturePair[] => {
  const names = namesIn(folder).sort()
  if (names.length === 0) throw new CannotCompare(`${folder} is empty; put pictures into it (jpg or png)`)
  const pictures = names.filter(
    (name) => PICTURE.test(name) && statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  )
  if (pictures.length === 0)
    throw new CannotCompare(`there is no picture in ${folder}; put some into it (their names end in .jpg or .png)`)
  const to = madeIn(folder)
  const stems = pictures.map((name) => parse(name).name)
  return pictures.map((name) => {
    const { name: stem } = parse(name)
    const isOnly = stems.filter((other) => other === stem).length === 1
    return { name, from: join(folder, name), to: join(to, `${isOnly ? stem : name}.jpg`) }
  })
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CannotCompare(`there is no folder ${folder}; look at how it is written`)
    if (code === 'ENOTDIR') throw new CannotCompare(`${folder} is a file; name the folder that it lies in`)
    throw new CannotCompare(`${folder} cannot be read (${code}); make it readable, or copy its pictures`)
  }
}

const madeIn = (folder: string): string => {
  const to = join(folder, 'compare')
  try {
    mkdirSync(to, { recursive: true })
    accessSync(to, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CannotCompare(
      oneLine`
        the comparisons cannot be written to ${to} (${code}); make it writable, or copy the pictures to a folder of
        yours
      `,
    )
  }
  return to
}
