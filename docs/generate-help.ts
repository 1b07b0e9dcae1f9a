// Writes docs/help.txt, which `npm start -- --help` shows before anything is installed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { helpText } from '../supervisors/options.ts'

writeFileSync(join(import.meta.dirname, 'help.txt'), helpText())
