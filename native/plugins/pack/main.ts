// `npm run plugin -- pack FOLDER [INTO]`: makes a package of a folder, ready to be uploaded.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isFault } from '../../../machines/errors/fault.ts'
import { uploadNameOf } from '../../../machines/plugins/package/release-note.ts'
import { packFolder } from './pack.ts'

const USAGE = `npm run plugin -- pack FOLDER [INTO]

FOLDER  of the plugin, with vedette-plugin.json in it
INTO    the folder that the package is written to; the present one when it is left out
`

const [order, folder, into = '.'] = process.argv.slice(2)
if (order !== 'pack' || folder === undefined) {
  process.stderr.write(USAGE)
  process.exit(2)
}
const packed = await packFolder(resolve(folder))
if (isFault(packed)) {
  process.stderr.write(`${packed.detail}\n`)
  process.exit(1)
}
const path = join(resolve(into), `${uploadNameOf(packed.manifest)}.zip`)
writeFileSync(path, packed.bytes)
process.stdout.write(`${path}\n`)
