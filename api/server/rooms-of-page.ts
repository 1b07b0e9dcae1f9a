// The page for people has rooms, and each has an address that can be opened, kept and sent to somebody: the service
// answers all of them with the page, which shows the room.
import type { Endpoint } from '../endpoints/endpoint.ts'
import { pathOf } from '../problems/problem.ts'

/** What a browser that opens an address asks with. */
interface Opening {
  readonly method?: string | undefined
  readonly headers: { readonly accept?: string | undefined }
}

const firstPart = (path: string): string => path.split('/')[1] ?? ''

/**
 * Whether a request opens a room: a browser that goes somewhere (it says that it takes HTML), at a path that neither
 * begins as one of the interface does nor is a file's name alone; what is shown in a room may have one. Programs are
 * told that there is nothing at such a path.
 */
export const opensRoom = (endpoints: readonly Endpoint[]): ((request: Opening, path: string) => boolean) => {
  const taken = new Set(endpoints.map(({ path }) => firstPart(path)).filter((part) => part !== ''))
  return ({ method, headers: { accept = '' } }, path) =>
    (method === 'GET' || method === 'HEAD') &&
    accept.includes('text/html') &&
    !taken.has(firstPart(pathOf(path))) &&
    !/^\/[^/]*\.\w+$/.test(pathOf(path))
}
