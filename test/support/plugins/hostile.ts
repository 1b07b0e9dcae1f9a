// Plugins that mean harm. Each says first that it is ready and begins when it is told to by a request, so that a test
// can see before that what holds it.

const HEAD = `
import os, signal, socket, struct, sys, threading, time
from vedette_plugin import plugin, encode_frame
DATA = lambda name: os.path.join(plugin.info["data_folder"], name)
def begin(harm):
    threading.Thread(target=harm, daemon=True).start()
`
const TAIL = `
plugin.start(on_request=lambda request: begin(harm))
`

/** Python programs, by what they do. */
export const HOSTILE = {
  forks: `
def harm():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)
`,
  burns: `
def harm():
    for _ in range(14):
        try:
            if os.fork() == 0:
                break
        except OSError:
            pass
    while True:
        pass
`,
  eats: `
def harm():
    held = []
    while True:
        held.append(bytearray(4_000_000))
`,
  fills: `
def harm():
    for n in range(10_000):
        with open(DATA(str(n)), "wb") as file:
            file.write(b"x" * 1_000_000)
`,
  hides: `
def harm():
    held = []
    try:
        for n in range(10_000):
            file = open(DATA(str(n)), "wb", 0)
            os.unlink(DATA(str(n)))
            file.write(b"x" * 1_000_000)
            held.append(file)
    except OSError:
        time.sleep(1000)  # with as many open files as it may have
`,
  floods: `
def harm():
    frame = encode_frame({"type": "log", "level": "info", "text": "again"}) * 500
    while True:
        plugin._socket.sendall(frame)
`,
  nags: `
def harm():
    frame = encode_frame({"type": "nothing"}) * 2000
    while True:
        plugin._socket.sendall(frame)
`,
  prints: `
def harm():
    while True:
        print("x" * 1000)
`,
  lies: `
def harm():
    send = plugin._socket.sendall
    send(struct.pack("<I", 5) + b"\\x91\\xdf\\xff\\xff\\xff")
    send(struct.pack("<I", 6) + b"\\x91\\xdd\\x7f\\xff\\xff\\xff")
    send(struct.pack("<I", 70_001) + b"\\x91" + b"\\x91" * 69_999 + b"\\xc0")
    send(struct.pack("<I", 80_006) + b"\\x91\\xdd\\x00\\x01\\x38\\x80" + b"\\xc0" * 80_000)
    send(struct.pack("<I", 0))
    send(encode_frame({"type": "publish", "topic": "../../other", "nt_type": "int", "value": 1}))
    send(encode_frame({"type": "reply", "request": 1, "status": 9}))
    send(encode_frame({"type": "constructor"}))
    send(struct.pack("<I", 0xFFFFFFFF) + b"x" * 100)
`,
  forges: `
def harm():
    for line in ("[null]", "[]", "it was ended by somebody else"):
        print("vedette-confine: " + line, file=sys.stderr, flush=True)
    print("vedette-confine: []", flush=True)
    os._exit(3)
`,
  leaves: `
def harm():
    for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        pass
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(1)
        os._exit(0)
`,
} as const
export type Hostile = keyof typeof HOSTILE

/** The whole program of one. */
export const hostileProgram = (which: Hostile): string => `${HEAD}${HOSTILE[which]}${TAIL}`

/** Writes 40 MB into a folder that may be written to, and not be read. */
export const LOCKS = `${HEAD}
def harm():
    os.chdir(plugin.info["data_folder"])
    os.mkdir("locked", 0o300)
    os.chdir("locked")
    for n in range(40):
        with open(str(n), "wb") as file:
            file.write(b"x" * 1_000_000)
    time.sleep(1000)
${TAIL}`

/** Writes 80 MB into files that it deletes and closes, and keeps a page of each in its memory. */
export const MAPS = `${HEAD}
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def harm():
    for _ in range(20):
        file = os.open(DATA("file"), os.O_RDWR | os.O_CREAT)
        libc.mmap(None, 4096, 1, 1, file, 0)
        os.unlink(DATA("file"))
        os.write(file, b"x" * 4_000_000)
        os.close(file)
    time.sleep(1000)
${TAIL}`

/** It never says that it is ready. */
export const MUTE = 'import time\ntime.sleep(3600)\n'

/** It is ready, reads nothing more until there is a file `go` among its data, and answers each request then. */
export const LATE = `
import os, socket, struct, time
from vedette_plugin import encode_frame, unpack
wire = socket.socket(fileno=3)
wire.setblocking(True)
def exactly(count):
    parts = bytearray()
    while len(parts) < count:
        parts += wire.recv(count - len(parts))
    return bytes(parts)
def read():
    return unpack(exactly(struct.unpack("<I", exactly(4))[0]))[0]
info = read()
wire.sendall(encode_frame({"type": "ready"}))
while not os.path.exists(os.path.join(info["data_folder"], "go")):
    time.sleep(0.01)
while True:
    message = read()
    if message["type"] == "stop":
        break
    wire.sendall(encode_frame({"type": "reply", "request": message["request"], "status": 204}))
`

/** It is ready, reads nothing more and does not end when it is told to. */
export const DEAF = `
import os, signal, socket, time
from vedette_plugin import encode_frame
for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(kind, signal.SIG_IGN)
wire = socket.socket(fileno=3)
wire.setblocking(True)
wire.sendall(encode_frame({"type": "ready"}))
while True:
    time.sleep(1)
`

/** It does not heed the order to end, and has left something behind in a session of its own, whose id it prints. */
export const SPLIT = `
import os, signal, socket, time
from vedette_plugin import encode_frame
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    time.sleep(3600)
wire = socket.socket(fileno=3)
wire.sendall(encode_frame({"type": "ready"}))
time.sleep(3600)
`
