// The least that the API could be: fastify with one route. Says where it listens as the service does.
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'

const app = fastify()
app.get('/v1/health', () => ({ state: 'ok' }))
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }))
process.once('SIGTERM', () => process.exit())
