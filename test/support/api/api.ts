// The API of a service on fake ports, over real sockets or none.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../../api/endpoints/endpoint.ts'
import { faultsOf } from '../../../api/endpoints/every-request.ts'
import { SUCCESS, statusOf } from '../../../api/problems/faults.ts'
import { PROBLEM_MEDIA_TYPE, Problem } from '../../../api/problems/problem.ts'
import { type ApiParts, createApi, listen } from '../../../api/server/server.ts'
import type { SignIn } from '../../../api/session/area.ts'
import { describedAreas } from '../../../docs/generate-api.ts'
import type { ClientCode } from '../../../machines/errors/catalogue.ts'
import { FOLLOW_PATH, PAIRING_PATH, REVEAL_PATH, WITHDRAW_PATH } from '../../../machines/pairing/messages.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { API } from '../../../supervisors/http/branch.ts'
import type { Options } from '../../../supervisors/options.ts'
import type { Lifetime } from '../lifetime.ts'
import { type FakeService, fakeService, type ServiceParts } from '../service.ts'

/** An API and the service behind it. */
export interface FakeApi {
  readonly fake: FakeService
  readonly app: FastifyInstance
  /** What was logged as a bug. */
  readonly bugs: readonly string[]
}

/** What of an API is to be other than that of the service. */
export type ApiChanges = Partial<ApiParts & Pick<Options, 'profile'> & Pick<SignIn, 'verifyToken'>>

/** An API that listens nowhere: for `app.inject()`. Ends with the test. */
export const fakeApi = async (
  t: Lifetime,
  { profile, verifyToken, ...parts }: ApiChanges = {},
  service: ServiceParts = {},
): Promise<FakeApi> => {
  const fake = await fakeService(t, { ...service, options: { ...service.options, ...(profile && { profile }) } })
  const bugs: string[] = []
  const api = fake.resolve(API)
  const signIn = { ...api.signIn, ...(verifyToken && { verifyToken }) }
  const app = await createApi({ ...api, signIn, log: (_level, message) => bugs.push(message), ...parts })
  t.after(() => app.close())
  return { fake, app, bugs }
}

/** An API that listens on a port of its own. */
export const listeningApi = async (
  t: Lifetime,
  parts: ApiChanges = {},
  service: ServiceParts = {},
): Promise<FakeApi & { readonly port: number; readonly url: string }> => {
  const api = await fakeApi(t, parts, service)
  const { port } = await listen(api.app, { host: '127.0.0.1', port: 0 })
  return { ...api, port, url: `http://127.0.0.1:${port}` }
}

/** Every row of every area. */
export const allEndpoints = (): readonly Endpoint[] => describedAreas().flatMap((area) => area.endpoints)

/**
 * Rows that are answered over TLS only, to whoever shows a certificate; test/api/interdevice/pairing.test.ts asks them.
 */
export const forCertificates: ReadonlySet<string> = new Set([PAIRING_PATH, REVEAL_PATH, WITHDRAW_PATH, FOLLOW_PATH])

/**
 * The path of a row, with what each parameter gives as its example where nothing else is said: there is such a thing on
 * a busy device.
 */
export const pathOf = ({ path, params }: Endpoint, said: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const [example] = (params[name] as { readonly examples?: readonly string[] } | undefined)?.examples ?? []
    return said[name] ?? example ?? name
  })

/** An answer, as much of it as a declaration speaks of. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const errorsInProblem = validatorOf(Problem)

/** That an answer is a problem document with this code and the status that belongs to it. */
export const assertProblem = ({ status, contentType, body }: Answered, code: ClientCode): Problem => {
  assert.match(contentType, new RegExp(`^${PROBLEM_MEDIA_TYPE.replace('+', '\\+')}\\b`), body)
  const problem = JSON.parse(body) as Problem
  assert.deepEqual(errorsInProblem(problem), [])
  assert.equal(problem.code, code, problem.detail)
  assert.equal(status, statusOf(code))
  assert.equal(problem.status, status)
  return problem
}

/** That an answer is one of those which its endpoint declares. */
export const assertDeclared = (endpoint: Endpoint, answered: Answered): void => {
  const { status, contentType, body } = answered
  const where = `${endpoint.method} ${endpoint.path} answered ${status}: ${body.slice(0, 300)}`
  if (status === SUCCESS[endpoint.answer.status]) {
    const { mediaType, schema } = endpoint.answer
    if (mediaType !== '*/*') assert.equal(contentType.split(';')[0], (mediaType ?? '').split(';')[0], where)
    if (mediaType === 'application/json' && schema) assert.deepEqual(validatorOf(schema)(JSON.parse(body)), [], where)
    return
  }
  if (body === '') {
    const statuses = (endpoint.answer.also ?? []).map((also): number => SUCCESS[also])
    assert.ok(statuses.includes(status), where)
    return
  }
  const { code } = JSON.parse(body) as Problem
  assert.ok(faultsOf(endpoint).includes(code as ClientCode), `${where}: ${code} is not declared`)
  assertProblem(answered, code as ClientCode)
  assert.equal(status, statusOf(code))
}
