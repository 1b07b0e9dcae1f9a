// Devices of this kind that are there and do nothing.
//
//   simulated-peers.ts COUNT [PORT]
//
// Prints a line of JSON once they listen: { origins, at_us }, at_us Unix time. PORT: that of the first.
import { epochUs } from '../../../native/clock/system.ts'
import { simulatedPeer } from './simulated-peer.ts'

const [count = 1, port = 0] = process.argv.slice(2).map(Number)
const origins = await Promise.all(
  Array.from({ length: count }, (_, n) => simulatedPeer({ n, ...(n === 0 && { port }) })),
)
console.log(JSON.stringify({ origins, at_us: epochUs() }))
process.once('SIGTERM', () => process.exit())
