/** Closes a socket, and not before it is open: a browser complains of that. Nothing of it is heard any more. */
export const endQuietly = (socket: WebSocket): void => {
  socket.onclose = null
  socket.onmessage = null
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket.close()
}
