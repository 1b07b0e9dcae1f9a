// Under what a token is kept: the peer and the number of the token.

export const keyOf = (peer_id: string, version: number): string => `${peer_id} ${version}`

/** What was written there by anybody else is of a peer that nobody has. */
export const versionIn = (key: string): readonly [peer_id: string, version: number] => {
  const [, peer_id = '', version = '0'] = /^(\S+) (\d+)$/.exec(key) ?? []
  return [peer_id, Number(version)]
}
