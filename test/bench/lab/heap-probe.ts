// Loaded into the daemon before its own code (`node --import`): at SIGUSR2 it collects its garbage and writes how many
// bytes are left, of the heap and beside it, to the file that VEDETTE_BENCH_HEAP names.
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
setFlagsFromString('--no-flush-bytecode') // or megabytes of code come and go, whoever writes
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  for (let n = 0; n < 3; n++) collect()
  const { heapUsed, external } = process.memoryUsage()
  const file = process.env.VEDETTE_BENCH_HEAP as string
  writeFileSync(`${file}.new`, String(heapUsed + external))
  renameSync(`${file}.new`, file) // whole or not there
})
