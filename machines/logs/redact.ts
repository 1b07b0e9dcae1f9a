// Takes secrets out of what is written into a log, shown of one, or carried away. It goes by how secrets are written:
// after their name, in a header, in an address, in PEM. What our own tokens look like is known too, so that one that
// stands alone is found as well.

/** What is shown in place of a secret. */
export const REDACTED = '[redacted]'

/** How the line begins that tells the token of a new device. It is for people at the console, and for no log. */
export const TOLD_ONCE = "the administrator's token, told only this once:"

type Rule = readonly [pattern: RegExp, instead: string | ((...found: string[]) => string)]

/** A quoted text, whose quotes may be escaped, since it stands in a text of JSON itself; or the rest of the line. */
const REST = String.raw`(\\*"(?:\\[^\n]|[^"\\\n])*"?|'[^'\n]*'?|[^\n]+)`

const HEADERS = 'proxy-authorization|authorization|set-cookie2?|cookie|www-authenticate|x-api-key|x-auth-token'

/** Where a word begins. \b would begin again at each hyphen in it, and a long word take the square of its length. */
const WORD = String.raw`(?<![\w-])`

/** Names that hold a secret, alone or at the end of a longer one; at the beginning of a word. */
const SECRET = [
  String.raw`[\w-]*(?:pass(?:word|wd|phrase|code)?|pwd|psk|secret|token|credential|nonce|session|signature`,
  String.raw`private[_-]?key|api[_-]?key|auth[_-]?key|wep-key\d?)s?`,
].join('|')

/** What a name has behind it before its value; the quotes may be escaped. */
const IS = String.raw`(\\*["']?\s*[:=]\s*\\*["'])`

const RULES: readonly Rule[] = [
  [/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, `${REDACTED} private key`],
  // one line of it, as a log that knows only lines has it
  [/^[ \t]*(?=[a-z0-9]*[A-Z+/])[A-Za-z0-9+/]{40,}={0,2}[ \t\r]*$/gm, REDACTED],
  [/^[ \t]*[A-Za-z0-9+/]{2,}={1,2}[ \t\r]*$/gm, REDACTED],
  [new RegExp(String.raw`\b(${HEADERS})(\\*["']?\s*[:=,]\s*)(?!\s*\[redacted\])${REST}`, 'gi'), `$1$2${REDACTED}`],
  [/\b(bearer)(\s+)[\w.~+/=-]{6,}/gi, `$1$2${REDACTED}`],
  [/\b(Digest)(\s+)\w+=[^\n]+/g, `$1$2${REDACTED}`],
  [/\b(Basic|Digest|Negotiate)(\s+)(?=\S*[A-Z0-9=])[\w.~+/=-]{8,}/g, `$1$2${REDACTED}`],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, `$1${REDACTED}@`],
  // where many cameras and servers of updates take a password or a signature
  [/\b((?:https?|rtsps?|wss?|ftps?):\/\/[^\s?#"'<>]{0,512})\?[^\s"'<>\\]*/gi, `$1?${REDACTED}`],
  [new RegExp(String.raw`([?&](?:key|auth|sig|code|${SECRET})=)[^\s&"'<>\\]*`, 'gi'), `$1${REDACTED}`],
  [/\b(__Host-vedette_session|vedette_session)=[^\s;,"']+/g, `$1=${REDACTED}`],
  [new RegExp(String.raw`${WORD}(${SECRET})${IS}(?:\\.|[^"'\\\n])*`, 'gi'), `$1$2${REDACTED}`],
  [new RegExp(String.raw`${WORD}(${SECRET})=(?!["'\\]|\[redacted\])[^\s,;&"'}\])]+`, 'gi'), `$1=${REDACTED}`],
  [/\b((?:pass(?:word|wd|phrase|code)|pwd|psk)s?)(:\s+)(?!["'\\]|\[redacted\])[^\s,;"'}\])]+/gi, `$1$2${REDACTED}`],
  // in a sentence "token: " may be followed by words
  [new RegExp(String.raw`${WORD}(${SECRET})(:\s*| is )(?!["'\\])[\w.~+/=-]{16,}`, 'gi'), `$1$2${REDACTED}`],
  [/(told only this once:\s*)\S+/g, `$1${REDACTED}`],
  [/\b((?:pairing[ _-])?code)(\\*["']?\s{0,8}[:=]?\s{0,8}(?:is |was )?\\*["']?)\d{6}\b/gi, `$1$2${REDACTED}`],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/(?<![\w-])[\w-]{32,128}(?![\w-])/g, (word) => (isDrawn(word) ? REDACTED : word)],
]

/** Whoever has none of these has no secret; most lines have none. */
const MAY_HOLD = new RegExp(
  [
    ...[
      '-----BEGIN',
      '://',
      '[?&]',
      'authori[sz]',
      'authenticate',
      'cookie',
      'bearer',
      'basic ',
      'digest',
      'negotiate',
    ],
    ...['pass', 'pwd', 'psk', 'secret', 'token', 'credential', 'key', 'nonce', 'session', 'signature', 'code', 'auth'],
    ...['told only', 'eyJ', String.raw`[\w-]{32}`, String.raw`^[ \t]*[A-Za-z0-9+/]{2,}={0,2}[ \t\r]*$`],
  ].join('|'),
  'im',
)

/** A text without the secrets in it. */
export const redact = (text: string): string => {
  if (!MAY_HOLD.test(text)) return text
  let shown = text
  for (const [pattern, instead] of RULES)
    shown = typeof instead === 'string' ? shown.replace(pattern, instead) : shown.replace(pattern, instead)
  return shown
}

/** The same for people who stand at the console: it tells them the token of a new device, as nothing else does. */
export const redactForConsole = (text: string): string => (text.startsWith(TOLD_ONCE) ? text : redact(text))

/** How often random text goes from small to capital letters, or between digits and letters, at least; names do not. */
const MIN_TURNS_A_CHARACTER = 0.15

/** Whether a word was drawn at random, as our own tokens are. */
const isDrawn = (word: string): boolean => {
  if (!/[A-Z]/.test(word) || !/[a-z]/.test(word) || !/\d/.test(word)) return false
  let turns = 0
  for (let n = 1; n < word.length; n++) if (isTurn(word[n - 1] as string, word[n] as string)) turns += 1
  return turns >= MIN_TURNS_A_CHARACTER * word.length
}

const isDigit = (letter: string) => letter >= '0' && letter <= '9'
const isSmall = (letter: string) => letter >= 'a' && letter <= 'z'
const isCapital = (letter: string) => letter >= 'A' && letter <= 'Z'
const isLetter = (letter: string) => isSmall(letter) || isCapital(letter)

const isTurn = (before: string, after: string): boolean =>
  (isSmall(before) && isCapital(after)) || (isDigit(before) && isLetter(after)) || (isLetter(before) && isDigit(after))

const MAX_DEPTH = 6

/** A key under which a whole value is a secret. */
const SECRET_KEY = new RegExp(`^(?:${SECRET}|${HEADERS})$`, 'i')

/** The facts of a line without the secrets in them, as they are written in JSON. Never throws. */
export const redactFacts = (facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  redactValue(facts, 0) as Readonly<Record<string, unknown>>

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '...'
  if (value instanceof Error) return redact(value.stack ?? value.message)
  if (Array.isArray(value)) return value.map((each) => redactValue(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      SECRET_KEY.test(key) && each !== null && each !== undefined && typeof each !== 'boolean'
        ? REDACTED
        : redactValue(each, depth + 1),
    ]),
  )
}
