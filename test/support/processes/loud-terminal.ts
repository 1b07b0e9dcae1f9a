// Logs more on its output than a terminal holds, and says in a file that it went on.
//
//   loud-terminal.ts FILE
import { writeFileSync } from 'node:fs'
import { lineLog, neverWaitFor } from '../../../native/log/lines.ts'

const LINES = 1_000
const [, , file = ''] = process.argv

neverWaitFor(process.stdout)
const log = lineLog(process.stdout, 'pretty', Date.now)
for (let n = 1; n <= LINES; n++) log('info', `line ${n} ${'.'.repeat(200)}`)
writeFileSync(file, 'went on')
