// Talking with the service.

const NO_ANSWER = 'The service does not answer. Try again in a moment.'

const asJson = (body) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** refused: called when something takes a token that is not there. */
export const createService = (refused) => {
  const answerTo = async (path, options) => {
    const response = await fetch(path, options)
    if (response.status === 401) refused()
    return response
  }

  const jsonOf = async (path, options) => {
    try {
      const response = await answerTo(path, options)
      const json = await response.json()
      return response.ok ? { body: json } : { problem: json.detail }
    } catch (error) {
      console.warn(`no answer to ${path}: ${error.message}`)
      return {}
    }
  }

  /**
   * What a GET brings: its JSON as `body`, or as `problem` what the service says why there is none. Neither, when there
   * is no answer.
   */
  const ask = (path) => jsonOf(path)

  /** JSON of a GET; undefined when there is none, for whatever reason. */
  const get = async (path) => (await ask(path)).body

  /** Asks for a change. Returns what the service says when it refuses; an empty text when it is done. */
  const send = async (method, path, body) => {
    const content = body ? asJson(body) : {}
    try {
      const response = await answerTo(path, { method, ...content })
      return response.ok ? '' : (await response.json()).detail
    } catch {
      return NO_ANSWER
    }
  }

  /** What a POST brings that answers with JSON, as `ask` tells it; where there is no answer, that is the problem. */
  const order = async (path, body) => {
    const answer = await jsonOf(path, { method: 'POST', ...asJson(body) })
    return answer.body ? answer : { problem: answer.problem ?? NO_ANSWER }
  }

  return { ask, get, send, order }
}
