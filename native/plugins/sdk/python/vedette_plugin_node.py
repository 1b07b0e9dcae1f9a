"""Nodes of pipelines in Python: a function that is called for each picture.

    from vedette_plugin_node import node

    def sharpness(inputs, params):
        picture = inputs["image"].array  # a NumPy array, not copied
        return {"values": {"mean": float(picture.mean())}}

    node.run(sharpness)

Needs the standard library alone; `array` and `room` need NumPy.
"""

import json
import mmap
import os
import socket
import struct
import sys

_HEAD = struct.Struct("<IIQ")
_START, _REQUEST, _PARAMS, _READY, _ANSWER, _FAILURE = 0, 1, 2, 16, 17, 18
_FRAME = struct.Struct("<IIQdddd")
_INPUT = struct.Struct("<IIIIIIQ9dQI")
_OUTPUT = struct.Struct("<IIIIII")
_INPUTS_AT, _INPUT_BYTES, _OUTPUT_BYTES = 64, 128, 64
_FORMATS = ("gray", "colour", "mask")
_MAX_SENTENCE = 1000


class Picture:
    """A picture. width, height: pixels. format: "gray", "colour" (blue, green, red) or "mask" (0 or 255).

    data: its bytes, row by row, as a read-only memoryview. It is memory that a later picture is written to: what is to
    outlive the call is copied. to_source: nine numbers, row by row, the matrix from its continuous pixels (the
    middle of the first is 0.5) to those of the camera's picture; is_bent: a lens was taken out on the way, so that the
    matrix alone does not lead there.
    """

    def __init__(self, data, width, height, format, to_source, is_bent):
        self.data = data
        self.width = width
        self.height = height
        self.format = format
        self.to_source = to_source
        self.is_bent = is_bent

    @property
    def array(self):
        """As a NumPy array of bytes, (height, width) or (height, width, 3), without a copy; not to be written to."""
        import numpy

        shape = (self.height, self.width, 3) if self.format == "colour" else (self.height, self.width)
        return numpy.frombuffer(self.data, numpy.uint8).reshape(shape)


class Inputs(dict):
    """What a call is given, by the names of the ports: a Picture, or a list of rows, each a dict of numbers.

    seq, captured_us (CLOCK_MONOTONIC, mid-exposure), width_px, height_px: of the frame.
    """

    seq = 0
    captured_us = 0
    width_px = 0
    height_px = 0

    def room(self, port, width, height):
        """Room for a picture that is given at `port`, as a NumPy array: what is written there is not copied."""
        import numpy

        view = self._room(port, width, height)
        shape = (height, width, 3) if self._channels(port) == 3 else (height, width)
        return numpy.frombuffer(view, numpy.uint8).reshape(shape)


class _Step:
    def __init__(self):
        self._socket = socket.socket(fileno=3)
        self._order = None
        self._memory = None
        self._params = {}

    def run(self, function, prepare=None, labels=None):
        """Calls `function(inputs, params)` for each picture, until the service has no use for it any more.

        It returns a dict: for a port of pictures a NumPy array of bytes (or a tuple of bytes, width, height), for
        `values` a dict, for rows a list of dicts. What is left out is empty; None: all is. Places are pixels of the
        first picture that it was given; wrap rows as `in_source(rows)` if they are pixels of the camera's.

        prepare: called once with the parameters before the first picture. labels: names of the classes, by the numbers
        that rows have as `label`. What a call raises costs that picture this step's results, and is shown as a warning.
        """
        kind, _, body = self._receive()
        if kind != _START:
            raise RuntimeError("this program is started by the service, as a node of a pipeline")
        self._begin(json.loads(body))
        try:
            if prepare:
                prepare(self._params)
        except Exception as error:
            self._send(_FAILURE, 0, _sentence(error))
            raise
        self._send(_READY, int(self._pictures is not None), json.dumps({"labels": list(labels or [])}).encode())
        while True:
            try:
                kind, number, body = self._receive()
            except EOFError:
                return
            if kind == _PARAMS:
                self._params = json.loads(body)
            elif kind == _REQUEST:
                self._answer(function, number)

    def _begin(self, order):
        self._order = order
        self._memory = mmap.mmap(4, order["memory_bytes"])
        os.close(4)
        pictures = order.get("pictures_bytes")
        self._pictures = memoryview(mmap.mmap(5, pictures, prot=mmap.PROT_READ)) if pictures else None
        self._view = memoryview(self._memory)
        self._read_only = self._view.toreadonly()
        self._params = {name: value for name, value in order["params"].items() if name != "timeout_ms"}
        self._outputs = {port["name"]: (n, port) for n, port in enumerate(order["outputs"])}

    def _answer(self, function, number):
        try:
            inputs = self._read()
            self._write(number, function(inputs, self._params) or {})
        except Exception as error:
            self._send(_FAILURE, number, _sentence(error))
        else:
            self._send(_ANSWER, number)

    def _read(self):
        _, _, _, seq, captured_us, width, height = _FRAME.unpack_from(self._memory, 0)
        inputs = Inputs()
        inputs.seq, inputs.captured_us = int(seq), captured_us
        inputs.width_px, inputs.height_px = int(width), int(height)
        inputs._room = self._room
        inputs._channels = self._channels
        for n, port in enumerate(self._order["inputs"]):
            head = _INPUT.unpack_from(self._memory, _INPUTS_AT + n * _INPUT_BYTES)
            inputs[port["name"]] = self._read_port(port, head)
        return inputs

    def _read_port(self, port, head):
        width, height, _, format, is_bent, rows, size = head[:7]
        at = port["at"]
        if port["kind"] == "image":
            memory, at = (self._pictures, head[16]) if head[17] else (self._read_only, at)
            data = memory[at : at + size]
            return Picture(data, width, height, _FORMATS[format], head[7:16], bool(is_bent))
        fields = port["fields"]
        numbers = struct.unpack_from("<%dd" % (rows * len(fields)), self._memory, at)
        return [dict(zip(fields, numbers[row * len(fields) :])) for row in range(rows)]

    def _channels(self, name):
        port = self._port(name)[1]
        if port["format"] == "same":
            first = next(n for n, port in enumerate(self._order["inputs"]) if port["kind"] == "image")
            head = _INPUT.unpack_from(self._memory, _INPUTS_AT + first * _INPUT_BYTES)
            return 3 if _FORMATS[head[3]] == "colour" else 1
        return 3 if port["format"] == "colour" else 1

    def _port(self, name):
        if name not in self._outputs:
            raise ValueError("it gives %r; its outputs are %s" % (name, ", ".join(self._outputs)))
        return self._outputs[name]

    def _room(self, name, width, height):
        port = self._port(name)[1]
        size = width * height * self._channels(name)
        if not 0 < size <= port["bytes"]:
            raise ValueError("a picture of %dx%d pixels has no room" % (width, height))
        return self._view[port["at"] : port["at"] + size]

    def _write(self, number, given):
        for name in given:
            self._port(name)
        at = self._order["answer_at"]
        struct.pack_into("<Q", self._memory, at, number)
        for name, (n, port) in self._outputs.items():
            head = self._write_port(name, port, given.get(name))
            _OUTPUT.pack_into(self._memory, at + 64 + n * _OUTPUT_BYTES, *head)

    def _write_port(self, name, port, value):
        if port["kind"] == "image":
            return self._write_picture(name, value)
        if port["kind"] == "values":
            text = b"" if value is None else json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
            self._put(port, text)
            return (0, 0, 0, 0, 0, len(text))
        is_in_source = isinstance(value, _InSource)
        rows = (value.rows if is_in_source else value) or []
        fields = port["fields"]
        numbers = [float(row[field]) for row in rows for field in fields]
        self._put(port, struct.pack("<%dd" % len(numbers), *numbers))
        return (0, 0, 0, int(is_in_source), len(rows), 8 * len(numbers))

    def _write_picture(self, name, value):
        if value is None:
            raise ValueError("it gives no picture %r" % name)
        if isinstance(value, tuple):
            data, width, height = value
        else:
            data, height, width = value, value.shape[0], value.shape[1]
            if str(data.dtype) not in ("uint8", "bool"):
                raise ValueError("the picture %r is of %s; pictures are of uint8" % (name, data.dtype))
            if str(data.dtype) == "bool":
                data = data.astype("uint8") * 255
        room = self._room(name, width, height)
        if not isinstance(data, (bytes, bytearray, memoryview)):
            import numpy

            wanted = numpy.frombuffer(room, numpy.uint8)
            if not (data.flags["C_CONTIGUOUS"] and data.ctypes.data == wanted.ctypes.data):
                wanted[:] = data.reshape(-1)
        else:
            room[:] = data
        return (width, height, width * self._channels(name), 0, 0, len(room))

    def _put(self, port, data):
        if len(data) > port["bytes"]:
            raise ValueError("it gives %d bytes; %d at most" % (len(data), port["bytes"]))
        self._memory[port["at"] : port["at"] + len(data)] = data

    def _receive(self):
        kind, size, number = _HEAD.unpack(self._exactly(_HEAD.size))
        return kind, number, self._exactly(size)

    def _exactly(self, size):
        if size == 0:
            return b""
        data = self._socket.recv(size)
        while len(data) < size:
            more = self._socket.recv(size - len(data)) if data else b""
            if not more:
                raise EOFError
            data += more
        return data

    def _send(self, kind, number, body=b""):
        try:
            self._socket.sendall(_HEAD.pack(kind, len(body), number) + body)
        except BrokenPipeError:
            sys.exit(0)


class _InSource:
    def __init__(self, rows):
        self.rows = rows


def in_source(rows):
    """Says of rows that their places are pixels of the camera's picture, not of the one that was given."""
    return _InSource(rows)


def _sentence(error):
    said = "%s: %s" % (type(error).__name__, error)
    return said.encode("utf-8", "replace")[:_MAX_SENTENCE]


class _Node:
    in_source = staticmethod(in_source)

    @staticmethod
    def run(function, prepare=None, labels=None):
        _Step().run(function, prepare, labels)

    run.__doc__ = _Step.run.__doc__


node = _Node()
