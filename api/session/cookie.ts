// The cookie that carries a session's secret.

const SECRET = /^[\w-]{43}$/

/**
 * Over TLS browsers keep a `__Host-` cookie from whatever is not this very host over TLS; without TLS they would not
 * take one.
 */
export const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-vedette_session' : 'vedette_session')

/**
 * The secrets in a Cookie header. Over TLS the cookie of plain HTTP does not count, which anybody on the way could have
 * set. There can be several of one name: cookies know no ports, and a neighbour on this host may set one that browsers
 * put first.
 */
export const secretsIn = (header: string | undefined, isSecure: boolean): readonly string[] => {
  const name = cookieName(isSecure)
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([key, value = '']) => (key === name && SECRET.test(value) ? [value] : []))
    .slice(0, MAX_OF_A_NAME)
}

const MAX_OF_A_NAME = 4

/** A Set-Cookie header. secret '': forgets it. No script sees it, and no other site makes a browser send it. */
export const setCookie = (secret: string, maxAgeMs: number, isSecure: boolean): string =>
  [
    `${cookieName(isSecure)}=${secret}`,
    'Path=/',
    `Max-Age=${Math.floor(maxAgeMs / 1000)}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
