// Watches a program that says that it is well 20 times a second, and notes each time in a file.
//
//   watching.ts FILE
//
// Prints the number of its process, and how it ended.
import { runWatched } from '../../../native/launcher/watch.ts'

const [, , file = ''] = process.argv
const WELL = `
  const { appendFileSync, writeSync } = require('node:fs')
  const say = (text) => { writeSync(3, text + '\\n'); appendFileSync(process.argv[1], '.') }
  say('READY=1')
  setInterval(() => say('WATCHDOG=1'), 50)
`

const { line } = await runWatched({
  program: process.execPath,
  args: ['-e', WELL, file],
  env: {},
  limits: { readyMs: 60_000, watchdogMs: 1_000 },
  onStart: ({ pid }) => console.log(pid),
})
console.log(line)
