// Asks the service of the machine that it runs on, again and again until an expression of the answer holds. What it is
// given: method, path, body in JSON or nothing, the expression.
const [method, path, sent, good] = process.argv.slice(2)
const MAX_TURNS = 300
const PAUSE_MS = 200

const isGood = new Function('status', 'body', `return (${good})`)
const options = sent ? { method, body: sent, headers: { 'content-type': 'application/json' } } : { method }
for (let turn = 0; ; turn++) {
  const response = await fetch(`http://127.0.0.1:5800${path}`, options)
  const answer = { status: response.status, body: await response.json() }
  const isOver = isGood(answer.status, answer.body)
  if (isOver || turn >= MAX_TURNS) {
    console.log(JSON.stringify(answer))
    process.exit(isOver ? 0 : 1)
  }
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
