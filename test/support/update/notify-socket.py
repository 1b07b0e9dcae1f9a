# Listens as systemd does, and prints each message. argv: the name of the socket; @ stands for the abstract ones.
import socket, sys

name = sys.argv[1]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind("\0" + name[1:] if name.startswith("@") else name)
print("listening", flush=True)
while True:
    print(listener.recv(4096).decode(), flush=True)
