// The least that Node can do to pass pictures of another device on: `http.request().pipe(response)`, for each who
// watches.
//
//   tunnel-pipe.ts ORIGIN
//
// Prints the URL of the pictures.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const [origin = ''] = process.argv.slice(2)

const server = createServer({ noDelay: true }, (_, response) => {
  const asking = request(`${origin}/v1/interdevice/streams/front/preview?other`, { agent: false })
  asking.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] })
    answer.pipe(response)
  })
  response.on('close', () => asking.destroy())
  asking.on('error', () => response.destroy()).end()
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
process.once('SIGTERM', () => process.exit())
