// The least that a process of Node needs to stay alive and look around four times a second.
setInterval(() => {}, 250)
process.once('SIGTERM', () => process.exit())
