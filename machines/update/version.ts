// Which of two versions is the newer one, as of semver.org: a pre-release is older than its release.
import compareVersions from 'semver/functions/compare.js'
import parseVersion from 'semver/functions/parse.js'

/** Whether it can be read as a version: `2026.1.0-rc.1`, without a letter before it. */
export const isVersion = (text: string): boolean => /^\d\S*$/.test(text) && parseVersion(text) !== null

/** Whether one is older than another; both must be versions. What stands after a + does not count. */
export const isOlder = (version: string, than: string): boolean => compareVersions(version, than) < 0
