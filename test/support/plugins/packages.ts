// Packages as a person would make them: by a writer of zips that is not ours.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { MANIFEST_NAME } from '../../../machines/plugins/package/rules.ts'

/** A manifest that can be used; what is said of it replaces what it has. */
export const manifestOf = (more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'note-finder',
  version: '1.0.0',
  minimum_api: 1,
  title: 'Note finder',
  provides: {},
  ...more,
})

/** The content of files by their paths. */
export type Files = Readonly<Record<string, string | Buffer>>

/** A zip with these files. */
export const zipOf = async (files: Files, modes: Readonly<Record<string, number>> = {}): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), path, modes[path] === undefined ? {} : { mode: modes[path] })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A package with this manifest. */
export const packageOf = (more: Readonly<Record<string, unknown>> = {}, files: Files = {}): Promise<Buffer> =>
  zipOf({ [MANIFEST_NAME]: JSON.stringify(manifestOf(more)), ...files })

/** Bytes as they arrive. */
export const arriving = (bytes: Buffer) => ({ body: Readable.from([bytes]), length: bytes.length })
