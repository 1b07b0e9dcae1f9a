"""What the Python program of a plugin speaks to Vedette with. It needs the standard library alone.

    from vedette_plugin import plugin

    def on_request(request):
        return {"path": request["path"]}

    plugin.start(on_request=on_request)

Calls come on one thread, one after the other, but for jobs, each of which has a thread of its own; `ask` may be called
from any of them, and waits for its answer.
"""

import json
import queue
import signal
import socket
import struct
import sys
import threading
import traceback
import urllib.parse

_WIRE = 3
_MAX_FRAME = 4 * 1024 * 1024
_ASK_LIMIT_S = 15
_MAX_TEXT = 2000


class PluginError(Exception):
    """Vedette did not do what was asked. code: of the fault; status: as of HTTP, 0 where the API was not asked."""

    def __init__(self, status, code, detail):
        super().__init__(detail)
        self.status = status
        self.code = code


class Answer:
    """What a route answers, where it is not just a document. body: JSON, or bytes with their media type."""

    def __init__(self, status=200, body=None, media_type=None):
        self.status = status
        self.body = body
        self.media_type = media_type


class Job:
    """A job that is to be done. kind, params: as it was started. is_cancelled: nobody waits for it any more."""

    def __init__(self, owner, job, kind, params):
        self.id = job
        self.kind = kind
        self.params = params
        self.is_cancelled = False
        self._owner = owner

    def progress(self, percent=None, message=""):
        """Tells how far it is: 0 to 100, or None where nobody can tell."""
        self._owner._send({"type": "job_progress", "job": self.id, "percent": percent, "message": str(message)[:200]})


class Plugin:
    """The program's side of the wire."""

    def __init__(self):
        self._socket = None
        self._lock = threading.Lock()
        self._calls = queue.SimpleQueue()  # a signal may put into it at any moment
        self._answers = {}
        self._jobs = {}
        self._watches = {}
        self._last = 0
        #: What Vedette said at the start: name, version, folder, data_folder, granted.
        self.info = {}

    def start(self, on_start=None, on_request=None, on_job=None, on_panel=None, on_results=None, on_stop=None):
        """Speaks with Vedette until it says that the program is to end; returns then.

        on_start(info): before Vedette is told that the program is ready. on_request(request): the request of a route
        as a dict with method, path, query (a dict), media_type and body (bytes; a document where it is JSON); what it
        returns is the answer. on_job(job): a Job; what it returns is the result. on_panel(message): of a panel.
        on_results(results): of a watched stream, with its stream_id. on_stop(): the last.
        """
        self._handlers = {
            "start": on_start,
            "request": on_request,
            "job": on_job,
            "panel": on_panel,
            "results": on_results,
        }
        self._socket = socket.socket(fileno=_WIRE)
        self._socket.setblocking(True)
        signal.signal(signal.SIGTERM, lambda *_: self._calls.put(None))
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            call = self._take()
            if call is None:
                break
            self._heed(*call)
        if on_stop is not None:
            on_stop()

    def publish(self, topic, nt_type, value):
        """Publishes a value below the plugin's own prefix. nt_type: boolean, double, int, string, a list of them as
        "double[]", or raw with bytes. It takes the permission topics."""
        if nt_type == "raw":
            self._send({"type": "publish", "topic": topic, "nt_type": nt_type, "value": None}, bytes(value))
        else:
            listed = list(value) if nt_type.endswith("[]") else value
            self._send({"type": "publish", "topic": topic, "nt_type": nt_type, "value": listed})

    def unpublish(self, topic):
        """Takes a topic away."""
        self._send({"type": "unpublish", "topic": topic})

    def event(self, kind, data=None):
        """Tells all who listen to events. kind: one of the manifest."""
        self._send({"type": "event", "kind": kind, "data": data})

    def log(self, level, text):
        """Writes a line to the plugin's log. level: debug, info, warn or error."""
        self._send({"type": "log", "level": level, "text": str(text)[:_MAX_TEXT]})

    def panel(self, message):
        """Sends a message to all panels of the plugin that are open."""
        self._send({"type": "panel", "message": message})

    def ask(self, method, path, body=None):
        """Asks the API of Vedette and gives the document that it answers, or bytes; raises PluginError.

        It takes the permission read, or operate."""
        message = {"type": "ask", "method": method, "path": path}
        if body is not None:
            message["body"] = body
        return self._ask(message)

    def watch(self, stream_id, max_fps=10):
        """Has `on_results` called with the results of a stream. It takes the permission read."""
        watch = self._next()
        self._watches[stream_id] = watch
        self._send({"type": "watch", "watch": watch, "stream_id": stream_id, "max_fps": max_fps})

    def unwatch(self, stream_id):
        """Ends that."""
        watch = self._watches.pop(stream_id, None)
        if watch is not None:
            self._send({"type": "unwatch", "watch": watch})

    def start_job(self, kind, params=None):
        """Starts a job of the plugin's own, which `on_job` does; gives its id. Raises PluginError."""
        return self._ask({"type": "job_start", "kind": kind, "params": params})["job_id"]

    def _next(self):
        with self._lock:
            self._last += 1
            return self._last

    def _take(self):
        while True:
            try:
                return self._calls.get(timeout=3600)  # a wait without end would keep signals from being heard
            except queue.Empty:
                continue

    def _ask(self, message):
        number = self._next()
        answered = queue.Queue(1)
        self._answers[number] = answered
        self._send({**message, "ask": number})
        try:
            answer, content = answered.get(timeout=_ASK_LIMIT_S)
        except queue.Empty:
            raise PluginError(0, "timeout", f"no answer within {_ASK_LIMIT_S} s") from None
        finally:
            self._answers.pop(number, None)
        if answer["ok"]:
            return content if content is not None else answer["body"]
        body = answer["body"] if isinstance(answer["body"], dict) else {}
        raise PluginError(answer["status"], body.get("code", ""), body.get("detail", "it was not done"))

    def _send(self, message, content=None):
        with self._lock:
            self._socket.sendall(encode_frame(message, content))

    def _read(self):
        try:
            while True:
                frame = self._exactly(4)
                length = struct.unpack("<I", frame)[0]
                if length > _MAX_FRAME:
                    break
                entries = unpack(self._exactly(length))
                message, content = entries[0], entries[1] if len(entries) > 1 else None
                kind = message["type"]
                if kind == "answer":
                    waiting = self._answers.get(message["ask"])
                    if waiting is not None:
                        waiting.put((message, content))
                elif kind == "job_cancel":
                    job = self._jobs.get(message["job"])
                    if job is not None:
                        job.is_cancelled = True
                elif kind == "stop":
                    break
                else:
                    self._calls.put((kind, message, content))
        except (EOFError, OSError):
            pass
        self._calls.put(None)

    def _exactly(self, count):
        parts = bytearray()
        while len(parts) < count:
            part = self._socket.recv(min(count - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)

    def _heed(self, kind, message, content):
        handler = self._handlers.get(kind)
        if kind == "start":
            self.info = {key: value for key, value in message.items() if key != "type"}
            if handler is not None:
                handler(self.info)
            self._send({"type": "ready"})
        elif kind == "request":
            self._answer_request(handler, message, content)
        elif kind == "job":
            threading.Thread(target=self._do_job, args=(handler, message), daemon=True).start()
        elif handler is not None and kind == "panel":
            self._guarded(handler, message["message"])
        elif handler is not None and kind == "results":
            self._guarded(handler, {"stream_id": message["stream_id"], **message["results"]})

    def _guarded(self, handler, given):
        try:
            handler(given)
        except Exception:
            traceback.print_exc(file=sys.stderr)

    def _answer_request(self, handler, message, content):
        if handler is None:
            answer = Answer(404, {"detail": "this plugin has no such route"})
        else:
            try:
                answer = handler(_request_of(message, content))
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                answer = Answer(500, {"detail": f"the plugin failed: {error}"})
        if not isinstance(answer, Answer):
            answer = Answer(204 if answer is None else 200, answer)
        reply = {"type": "reply", "request": message["request"], "status": answer.status}
        if answer.media_type is not None:
            reply["media_type"] = answer.media_type
        if isinstance(answer.body, (bytes, bytearray, memoryview)):
            self._send(reply, bytes(answer.body))
        elif isinstance(answer.body, str) and answer.media_type is not None:
            self._send(reply, answer.body.encode())
        else:
            self._send(reply if answer.body is None else {**reply, "body": answer.body})

    def _do_job(self, handler, message):
        job = Job(self, message["job"], message["kind"], message["params"])
        self._jobs[job.id] = job
        done = {"type": "job_done", "job": job.id}
        try:
            if handler is None:
                raise RuntimeError("this plugin does no jobs")
            self._send({**done, "result": handler(job)})
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self._send({**done, "error": str(error)[:1000] or type(error).__name__})
        finally:
            self._jobs.pop(job.id, None)


def _request_of(message, content):
    media_type = message["media_type"]
    body = content if content is not None else b""
    if media_type is not None and media_type.split(";")[0].strip() == "application/json" and body:
        body = json.loads(body)
    query = dict(urllib.parse.parse_qsl(message["query"], keep_blank_values=True))
    known = {"method": message["method"], "path": message["path"], "query": query}
    return {**known, "media_type": media_type, "body": body}


def encode_frame(message, content=None):
    """A message as it goes over the wire: its length, then a list of it and its bytes."""
    out = bytearray(b"\x91" if content is None else b"\x92")
    _pack(message, out)
    if content is not None:
        out += b"\xc6" + struct.pack(">I", len(content))
        out += content
    return struct.pack("<I", len(out)) + bytes(out)


def _pack(value, out):
    """Appends a value as MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md)."""
    if value is None:
        out.append(0xC0)
    elif value is True or value is False:
        out.append(0xC3 if value else 0xC2)
    elif isinstance(value, int):
        _pack_int(value, out)
    elif isinstance(value, float):
        out += b"\xcb" + struct.pack(">d", value)
    elif isinstance(value, str):
        text = value.encode("utf-8", "replace")
        _pack_head(len(text), out, 0xA0, 31, ((0xFF, 0xD9), (0xFFFF, 0xDA), (0xFFFFFFFF, 0xDB)))
        out += text
    elif isinstance(value, dict):
        _pack_head(len(value), out, 0x80, 15, ((0xFFFF, 0xDE), (0xFFFFFFFF, 0xDF)))
        for key, each in value.items():
            _pack(str(key), out)
            _pack(each, out)
    elif isinstance(value, (list, tuple)):
        _pack_head(len(value), out, 0x90, 15, ((0xFFFF, 0xDC), (0xFFFFFFFF, 0xDD)))
        for each in value:
            _pack(each, out)
    elif hasattr(value, "tolist"):  # of NumPy
        _pack(value.tolist(), out)
    else:
        raise TypeError(f"a {type(value).__name__} cannot be sent; send numbers, texts, lists and dicts")


def _pack_int(value, out):
    if 0 <= value < 0x80 or -0x20 <= value < 0:
        out += struct.pack("b" if value < 0 else "B", value)
    elif -(1 << 63) <= value < 1 << 63:
        out += b"\xd3" + struct.pack(">q", value)
    else:
        _pack(float(value), out)


def _pack_head(count, out, fixed, most, longer):
    if count <= most:
        out.append(fixed | count)
        return
    for (limit, code), form in zip(longer, (">B", ">H", ">I")[3 - len(longer) :]):
        if count <= limit:
            out.append(code)
            out += struct.pack(form, count)
            return
    raise ValueError("that is too long to be sent")


def unpack(data):
    """The value that MessagePack bytes hold."""
    value, _ = _unpack(memoryview(data), 0)
    return value


_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h"}
_NUMBERS.update({0xD2: ">i", 0xD3: ">q"})
_COUNTS = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_COUNTS.update({0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"})


def _unpack(data, at):
    first = data[at]
    at += 1
    if first < 0x80:
        return first, at
    if first >= 0xE0:
        return first - 0x100, at
    if first < 0x90:
        return _unpack_map(data, at, first & 0x0F)
    if first < 0xA0:
        return _unpack_list(data, at, first & 0x0F)
    if first < 0xC0:
        end = at + (first & 0x1F)
        return str(data[at:end], "utf-8", "replace"), end
    if first == 0xC0:
        return None, at
    if first in (0xC2, 0xC3):
        return first == 0xC3, at
    if first in _NUMBERS:
        form = _NUMBERS[first]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    if first == 0xD4 and data[at] == 0:  # JavaScript's undefined
        return None, at + 2
    if first not in _COUNTS:
        raise ValueError(f"the byte {first:#x} begins nothing here")
    form = _COUNTS[first]
    count = struct.unpack_from(form, data, at)[0]
    at += struct.calcsize(form)
    if first >= 0xDE:
        return _unpack_map(data, at, count)
    if first >= 0xDC:
        return _unpack_list(data, at, count)
    end = at + count
    return (bytes(data[at:end]) if first <= 0xC6 else str(data[at:end], "utf-8", "replace")), end


def _unpack_list(data, at, count):
    values = []
    for _ in range(count):
        value, at = _unpack(data, at)
        values.append(value)
    return values, at


def _unpack_map(data, at, count):
    values = {}
    for _ in range(count):
        key, at = _unpack(data, at)
        values[key], at = _unpack(data, at)
    return values, at


plugin = Plugin()
