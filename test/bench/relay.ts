// The least that Node can do of what the control process does with a frame: take as many bytes from a socket pair and write as many to a TCP socket, 30
// times a second, and nothing else. Run beside the service, it shows how much of a figure is Node, the kernel and the machine of the moment.
//
// Prints a line of JSON every ten seconds: { cpu_us, p50_us, p99_us }: main-thread CPU of a message, and its time from being sent until passed on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, Socket } from 'node:net'
import { socketPair } from '../../native/engine/socket-pair.ts'
import { threadCpuUs } from './processes.ts'
import { quantile } from './row.ts'

const FPS = 30
const ROUND_FRAMES = 10 * FPS
const RESULT_BYTES = 3_500 // of eight tags
const TOPICS_BYTES = 9_200 // what the robot is told of them

const monotonicUs = (): number => Number(process.hrtime.bigint()) / 1000

/** The other side: sends stamped messages like an engine, and swallows what is passed on like a robot. */
const peer = async (): Promise<void> => {
  const engine = new Socket({ fd: 3 })
  engine.on('error', () => process.exit())
  const robot = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(robot, 'listening')
  const message = Buffer.alloc(RESULT_BYTES)
  message.writeUInt32LE((robot.address() as AddressInfo).port)
  setInterval(() => {
    message.writeDoubleLE(monotonicUs(), 8)
    engine.write(message)
  }, 1000 / FPS)
}

const relay = async (): Promise<void> => {
  const us: number[] = []
  const topics = Buffer.alloc(TOPICS_BYTES)
  let robot: Socket | undefined
  let beforeUs = 0
  const take = (message: Buffer): void => {
    robot ??= connect(message.readUInt32LE(), '127.0.0.1').setNoDelay()
    const sentUs = message.readDoubleLE(8)
    robot.write(topics)
    us.push(monotonicUs() - sentUs)
    if (us.length === ROUND_FRAMES) report()
  }
  const report = (): void => {
    const cpuUs = threadCpuUs(process.pid)
    const [p50, p99] = [quantile(us, 0.5), quantile(us, 0.99)]
    if (beforeUs > 0) console.log(JSON.stringify({ cpu_us: (cpuUs - beforeUs) / us.length, p50_us: p50, p99_us: p99 }))
    beforeUs = cpuUs
    us.length = 0
  }
  const { theirs } = await socketPair(take)
  const child = spawn(process.execPath, [import.meta.filename, 'peer'], {
    stdio: ['ignore', 'ignore', 'inherit', theirs],
  })
  theirs.destroy()
  process.once('SIGTERM', () => {
    child.kill()
    process.exit()
  })
}

await (process.argv[2] === 'peer' ? peer() : relay())
