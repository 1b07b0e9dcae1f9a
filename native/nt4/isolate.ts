// Keeps one message from spoiling the others: a throw out of a socket's listener would end the process.

/** Runs the handling of one message. False: it threw, or said so itself. */
export const sound = (handle: () => unknown): boolean => {
  try {
    return handle() !== false
  } catch {
    return false
  }
}
