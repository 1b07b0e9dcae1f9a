// Run by names.test.ts in a network of its own: cameras, a name server that answers seldom or never, and what engines
// make of the names. Prints it as JSON.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import * as Effect from 'effect/Effect'
import type { Result } from '../../../../machines/engine/result.ts'
import { Latest } from '../../../../machines/latest.ts'
import { engineProcesses } from '../../../../native/engine/service/engines.ts'
import { livePictures, TINY_JPEG } from '../../../support/cameras/network-camera.ts'
import { rtspAnswer } from '../../../support/cameras/rtsp.ts'
import { engineTask } from '../../../support/engine/engine-task.ts'

const A = 1
const answered = new Set<string>()

/** The question of a query, with its type: all of it behind the header. */
const questionIn = (query: Buffer) => query.subarray(12, query.indexOf(0, 12) + 5)

/** The address 127.0.0.1, or none of another type. */
const answerTo = (query: Buffer): Buffer => {
  const question = questionIn(query)
  const hasAddress = question.readUInt16BE(question.length - 4) === A
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0])
  const address = [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
  return Buffer.concat([header, question, Buffer.from(hasAddress ? address : [])])
}

/** Names that begin with `once` are told once to each who asks; nobody is told anything else. */
const nameServer = createSocket('udp4', (query, { port, address }) => {
  const question = questionIn(query).toString('latin1')
  if (!question.includes('once') || answered.has(question)) return
  answered.add(question)
  nameServer.send(answerTo(query), port, address)
})
nameServer.bind(53, '127.0.0.1')
await once(nameServer, 'listening')

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

const answer: RequestListener = (request, response) => {
  const to = (location: string) => response.writeHead(302, { location }).end()
  if (request.url === '/moved') to('http://silent.example/')
  else if (request.url === '/two-kinds') to(`http://two-kinds.example:${http}/missing`)
  else if (request.url === '/missing') response.writeHead(404).end()
  else livePictures(TINY_JPEG)(request, response)
}
const http = await portOf(createServer(answer))
const rtsp = await portOf(
  createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece) => void socket.write(rtspAnswer(String(piece), '404 Not Found')))
  }),
)

/** Each list is one engine's: what waits for its limit comes last. */
const asked = [
  [
    ['two', `http://two.example:${http}/`],
    ['once', `http://once.example:${http}/`],
    ['twoKinds', `http://10.9.9.9:${http}/two-kinds`],
    ['silent', 'http://silent.example/'],
  ],
  [
    ['twoRtsp', `rtsp://two.example:${rtsp}/`],
    ['onceRtsp', `rtsp://once-rtsp.example:${rtsp}/`],
    ['silentRtsp', 'rtsp://silent.example/'],
  ],
  [['moved', `http://127.0.0.1:${http}/moved`]],
] as const

const sinks = { results: new Latest<Result>(), picture: () => {} }
const outcomesOf = (urls: (typeof asked)[number]) =>
  Effect.gen(function* () {
    const engine = yield* engineProcesses().spawn('names', sinks)
    return yield* Effect.forEach(urls, ([name, url]) =>
      Effect.match(engine.open(engineTask({ source: { backend: 'url', url, fps: 30 } })), {
        onFailure: ({ code, detail }) => [name, `${code}: ${detail}`] as const,
        onSuccess: () => [name, 'opened'] as const,
      }),
    )
  }).pipe(Effect.scoped)

const outcomes = await Effect.runPromise(Effect.forEach(asked, outcomesOf, { concurrency: 'unbounded' }))
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes.flat())), () => process.exit())
