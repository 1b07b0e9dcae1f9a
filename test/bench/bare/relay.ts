// The least that Node can do of what the control process does with a frame: take as many bytes from a socket pair and
// write as many to a TCP socket, 30 times a second, and nothing else. Run beside the service, it shows how much of a
// figure is Node, the kernel and the machine of the moment.
//
//   relay.ts RESULT_BYTES TOPICS_BYTES [FPS [STREAMS]]
//
// Of several streams each has a socket pair of its own, and they take turns.
//
// For each line on its standard input it prints one of JSON of the time since the line before: { cpu_us, us }:
// main-thread CPU of a message, and the time of each from being sent until passed on. Two numbers on the line are new
// sizes, from then on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { socketPair } from '../../../native/engine/service/socket-pair.ts'
import { threadCpuUs } from '../lab/processes.ts'

const [FPS = 30, STREAMS = 1] = process.argv.slice(4).map(Number)

const FIRST_FD = 3

const monotonicUs = (): number => Number(process.hrtime.bigint()) / 1000

/** The other side: sends stamped messages like so many engines, and swallows what is passed on like a robot. */
const peer = async (): Promise<void> => {
  const engines = Array.from({ length: STREAMS }, (_, n) => new Socket({ fd: FIRST_FD + n }))
  for (const engine of engines) engine.on('error', () => process.exit())
  const robot = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(robot, 'listening')
  let message = Buffer.alloc(Number(process.argv[3]))
  createInterface({ input: process.stdin }).on('line', (bytes) => {
    message = Buffer.alloc(Number(bytes))
  })
  const send = (engine: Socket) => {
    message.writeUInt32LE((robot.address() as AddressInfo).port)
    message.writeDoubleLE(monotonicUs(), 8)
    engine.write(message)
  }
  engines.forEach((engine, n) => {
    setTimeout(() => setInterval(send, 1000 / FPS, engine), (n * 1000) / FPS / STREAMS)
  })
}

const relay = async (): Promise<void> => {
  const us: number[] = []
  let topics = Buffer.alloc(Number(process.argv[3]))
  let robot: Socket | undefined
  const take = (message: Buffer): void => {
    robot ??= connect(message.readUInt32LE(), '127.0.0.1').setNoDelay()
    const sentUs = message.readDoubleLE(8)
    robot.write(topics)
    us.push(monotonicUs() - sentUs)
  }
  const pairs = await Promise.all(Array.from({ length: STREAMS }, () => socketPair(take)))
  const sockets = pairs.map(({ theirs }) => theirs)
  const words = ['peer', process.argv[2] as string, String(FPS), String(STREAMS)]
  const child = spawn(process.execPath, [import.meta.filename, ...words], {
    stdio: ['pipe', 'ignore', 'inherit', ...sockets],
  })
  for (const theirs of sockets) theirs.destroy()
  let beforeUs = threadCpuUs(process.pid)
  createInterface({ input: process.stdin }).on('line', (line) => {
    const cpuUs = threadCpuUs(process.pid)
    const round = JSON.stringify({ cpu_us: (cpuUs - beforeUs) / us.length, us })
    const [result, written] = line.split(' ')
    if (written) {
      child.stdin?.write(`${result}\n`)
      topics = Buffer.alloc(Number(written))
    }
    us.length = 0
    console.log(round)
    beforeUs = threadCpuUs(process.pid)
  })
  process.once('SIGTERM', () => {
    child.kill()
    process.exit()
  })
}

await (process.argv[2] === 'peer' ? peer() : relay())
