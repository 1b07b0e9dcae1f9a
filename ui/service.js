// Talking with the service.

const NO_ANSWER = 'The service does not answer. Try again in a moment.'

/** refused: called when something takes a token that is not there. */
export const createService = (refused) => {
  const answerTo = async (path, options) => {
    const response = await fetch(path, options)
    if (response.status === 401) refused()
    return response
  }

  /** JSON of a GET; undefined when there is none, for whatever reason. */
  const get = async (path) => {
    try {
      const response = await answerTo(path)
      return response.ok ? await response.json() : undefined
    } catch {
      return undefined
    }
  }

  /** Asks for a change. Returns what the service says when it refuses; an empty text when it is done. */
  const send = async (method, path, body) => {
    const content = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
    try {
      const response = await answerTo(path, { method, ...content })
      return response.ok ? '' : (await response.json()).detail
    } catch {
      return NO_ANSWER
    }
  }

  return { get, send }
}
