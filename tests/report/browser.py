"""A headless Chromium, driven over a pipe by the DevTools protocol: messages in JSON, each ended by a zero byte."""

import contextlib
import dataclasses
import json
import os
import queue
import shutil
import subprocess
import threading
import time

# No sandbox, since tests may run as root; the rest keeps the browser from asking the network for anything of its own.
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
FLAGS += ["--remote-debugging-pipe", "--window-size=1500,1000"]
PATIENCE = 60  # seconds for an answer


def find():
    """The browser's command, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@dataclasses.dataclass
class Browser:
    """A page, and all that its frames have asked for and complained about since it was opened."""

    _to: object
    _messages: queue.Queue
    requests: list = dataclasses.field(default_factory=list)
    complaints: list = dataclasses.field(default_factory=list)
    _session: str | None = None
    _last: int = 0

    def open(self, url):
        """Open a page and wait until it is loaded."""
        target = self.ask("Target.createTarget", url="about:blank", session=None)["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True, session=None)["sessionId"]
        self._watch(self._session)
        self.ask("Page.navigate", url=url)
        self.until("document.readyState == 'complete' && location.href != 'about:blank'")

    def resize(self, width=1280, height=900):
        """Give the page a window of so many pixels, or a phone's screen if it is a narrow one."""
        shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.ask("Emulation.setDeviceMetricsOverride", **shape)

    def run(self, script, frame=None):
        """What a script returns in the page, or in one of its frames."""
        context = {}
        if frame:
            context["contextId"] = self.ask("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, **context)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, script, frame=None):
        """Wait until a script returns something true, and return that."""
        return self.wait(lambda: self.run(script, frame), script)

    def wait(self, condition, what="the condition"):
        """Wait until something is true, listening to the browser meanwhile, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.run("0")
            if value := condition():
                return value
            time.sleep(0.05)
        raise TimeoutError(f"not within {PATIENCE} s: {what}")

    def frames(self):
        """The frames of the page: their ids and addresses."""
        children = self.ask("Page.getFrameTree")["frameTree"].get("childFrames", [])
        return [(child["frame"]["id"], child["frame"]["url"]) for child in children]

    def images(self, frame):
        """Name and description of every image of a frame, as a screen reader has them."""
        nodes = self.ask("Accessibility.getFullAXTree", frameId=frame)["nodes"]
        images = [node for node in nodes if node["role"]["value"] in ("image", "img", "SvgRoot")]
        return [tuple(node.get(part, {}).get("value", "") for part in ("name", "description")) for node in images]

    def ask(self, method, session="", **parameters):
        """The answer to a command; what happens meanwhile is noted down."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        session = self._session if session == "" else session
        self._to.write(json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        self._to.flush()
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._messages.get(timeout=max(end - time.monotonic(), 0.01))
            if answer.get("id") == self._last and "method" not in answer:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self._note(answer)

    def _watch(self, session):
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.ask(f"{domain}.enable", session=session)
        # A frame may live in a process of its own, with a session of its own.
        self.ask("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True, session=session)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.complaints.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(str(parameters["entry"]))
        elif method == "Target.attachedToTarget" and parameters["targetInfo"]["type"] == "iframe":
            self._watch(parameters["sessionId"])


@contextlib.contextmanager
def started(command, folder):
    """A browser with an empty profile in ``folder``."""
    (read_commands, write_commands), (read_messages, write_messages) = os.pipe(), os.pipe()
    # The browser reads commands from descriptor 3 and writes messages to 4, which Popen cannot give by number.
    shell = f'exec "$@" 3<&{read_commands} 4>&{write_messages}'
    process = subprocess.Popen(
        ["bash", "-c", shell, "bash", command, *FLAGS, f"--user-data-dir={folder}"],
        pass_fds=(read_commands, write_messages),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_commands)
    os.close(write_messages)
    messages = queue.Queue()
    reader = threading.Thread(target=_read, args=(read_messages, messages), daemon=True)
    reader.start()
    try:
        with os.fdopen(write_commands, "wb") as to:
            yield Browser(to, messages)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        reader.join(timeout=PATIENCE)


def _read(descriptor, messages):
    rest = b""
    with os.fdopen(descriptor, "rb", buffering=0) as pipe:
        while part := pipe.read(1 << 16):
            *whole, rest = (rest + part).split(b"\0")
            for message in whole:
                messages.put(json.loads(message))
