// Whoever started this process, and waits to hear how it is: systemd, or the launcher where there is none.

/** What it is told; losing one of these is no fault of ours, and nothing is thrown. */
export interface Notify {
  /** The start is over: the service answers. */
  readonly ready: () => void
  /** All is well; not said for the time of `watchdogMs`, it ends the process. */
  readonly watchdog: () => void
  /** What it does, for people. */
  readonly status: (text: string) => void
  /** It will take so long until the next of these. */
  readonly extend: (us: number) => void
  /** null: it does not wait for `watchdog`. */
  readonly watchdogMs: number | null
}
