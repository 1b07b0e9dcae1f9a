// Where a camera on the network is, as a manifest names it, and what of that is shown.

/** What is shown of an address in place of what stands behind ? in it. */
const NOT_SHOWN = '?...'

/** What is wrong with an address, each as the end of a sentence. instead: where a name and password belong. */
export const addressComplaints = (text: string, instead: string): readonly string[] => {
  const url = URL.parse(text)
  return [
    ...(url && CALLED.test(url.protocol) ? [] : ['is no address; it is written like http://10.12.34.11/video']),
    ...(url?.username || url?.password
      ? [`holds a name or password, which everybody would see; give them ${instead}`]
      : []),
    ...(text.endsWith(NOT_SHOWN)
      ? [`ends in ${NOT_SHOWN}, which stands where an address is shown for what is not; give the whole address again`]
      : []),
  ]
}

const CALLED = /^(https?|rtsps?):$/

/**
 * An address as it may be shown: without what stands behind ? in it, where many cameras take their password, and
 * without a name and password, which were not always refused.
 */
export const shownAddress = (url: string): string =>
  url.replace(/\?.*$/s, NOT_SHOWN).replace(/^([a-z]+:\/*)[^/]*@/i, '$1')
