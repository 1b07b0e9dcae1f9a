// A program that writes into a log as fast as it can, until it is killed: node writer.ts FOLDER. Each line that it
// prints is a number that it has said before, and knows to be written.
import { LogFile } from '../../../native/log/log-file.ts'

const log = new LogFile({
  folder: process.argv[2] as string,
  clock: { nowMs: Date.now, monotonicUs: () => Math.round(performance.now() * 1000) },
  maxFileBytes: 20_000,
  maxFiles: 8,
})
log.open()
for (let n = 1; ; n++) {
  const text = `line ${n} ${'x'.repeat(n % 700)}`
  log.write({ level: n % 50 === 0 ? 'error' : 'info', part: 'service', message: text, facts: { n } })
  if (n % 20 !== 0) continue
  await log.flushed()
  process.stdout.write(`${n}\n`)
}
