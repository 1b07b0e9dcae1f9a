// The browser in which pages are tested and measured.

/**
 * Debian's Chromium without a window of its own, which the set-up of the tests installs: it starts in half the time of
 * the one with windows, and a page in it takes two thirds of the processors.
 */
export const BROWSER = '/usr/lib/chromium/chromium-headless-shell'

/**
 * As root there is no sandbox to be had, and nothing but the page shall be asked for: a robot's network leads nowhere.
 */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP 10.2.54.* 127.0.0.1', // the addresses of the made-up device are those of this machine
]
