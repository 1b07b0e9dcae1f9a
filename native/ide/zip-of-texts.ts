// The texts of a project as one file.
import type { ProjectFile } from '../../machines/ide/fill-template.ts'
import { zipOf } from '../files/zip.ts'

export const zipOfTexts = (files: readonly ProjectFile[]): Promise<Buffer> =>
  zipOf(files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) })))
