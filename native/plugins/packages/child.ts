// The child that looks through a package, or unpacks it: it prints what it found, or the fault, as JSON, and ends; at
// once when the service that started it has ended. arguments: the path of the package, and the folder to unpack into,
// if it is to be unpacked.
import { writeSync } from 'node:fs'
import { packageWorker } from './unpack.ts'

process.umask(0o022) // a program may be run by a user of its own, who reads these files
process.stdin.on('end', () => process.exit(1)).resume()

const [path = '', into] = process.argv.slice(2)
const found = await (into === undefined ? packageWorker.inspect(path) : packageWorker.unpack(path, into))
const said = Buffer.from(JSON.stringify(found))
for (let at = 0; at < said.length; ) at += writeSync(1, said, at)
process.exit(0) // without waiting for the end of its input
