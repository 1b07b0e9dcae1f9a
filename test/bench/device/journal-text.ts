// A line of a journal as `journalctl --output=json` prints it with few fields: 425 bytes, as measured with a real one.

/** With its number in it. */
export const journalText = (n: number): string => {
  const hex = n.toString(16)
  const cursor = `s=c766ef47a144499ea4b92653fefea1e9;i=${hex};b=${'6fd47b9d'.repeat(4)};m=${hex};t=6613c79918a42;x=1dbf`
  return `${JSON.stringify({
    MESSAGE: `line ${n} of a program that says what it does, in a hundred characters or so, as programs do it`,
    PRIORITY: '6',
    SYSLOG_IDENTIFIER: 'program',
    _PID: '1234',
    __CURSOR: cursor,
    __REALTIME_TIMESTAMP: '1795762225777218',
    __MONOTONIC_TIMESTAMP: String(61_167_952_533 + n),
    _BOOT_ID: '6fd47b9d'.repeat(4),
  })}\n`
}
