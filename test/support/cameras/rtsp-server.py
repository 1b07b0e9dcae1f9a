"""An RTSP server for tests: GStreamer's, on the loopback.

It prints its port when it listens, and ends with its standard input. /h264, /h265 and /jpeg are live test pictures of
320x240, 30 a second; with --user NAME --password WORD all of them ask for that (Digest).
"""

import argparse
import os
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

PICTURES = "videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=30/1,format=I420 !"
ENCODING = "tune=zerolatency speed-preset=ultrafast key-int-max=15"
PAYLOAD = "name=pay0 pt=96 config-interval=1"
PATHS = {
    "/h264": f"x264enc {ENCODING} ! rtph264pay {PAYLOAD}",
    "/h265": f"x265enc {ENCODING} ! rtph265pay {PAYLOAD}",
    "/jpeg": "jpegenc ! rtpjpegpay name=pay0 pt=26",
}

arguments = argparse.ArgumentParser()
arguments.add_argument("--user")
arguments.add_argument("--password")
given = arguments.parse_args()

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
if given.user:
    auth = GstRtspServer.RTSPAuth()
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "team")
    auth.add_digest(given.user, given.password, token)
    server.set_auth(auth)
for path, encoded in PATHS.items():
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( {PICTURES} {encoded} )")
    factory.set_shared(True)
    if given.user:
        permissions = GstRtspServer.RTSPPermissions()
        for permission in ("media.factory.access", "media.factory.construct"):
            permissions.add_permission_for_role("team", permission, True)
        factory.set_permissions(permissions)
    server.get_mount_points().add_factory(path, factory)
server.attach(None)
print(server.get_bound_port(), flush=True)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
GLib.MainLoop().run()
