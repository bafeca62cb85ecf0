"""Drives a headless Chromium over the pipe of its DevTools protocol: one page, what it asked for and complained of."""
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
DEADLINE_S = 60


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        from_browser, out = os.pipe()
        into, to_browser = os.pipe()
        # the browser reads commands from descriptor 3 and writes answers to 4
        arguments = [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                     "--user-data-dir=" + self.profile, "--remote-debugging-pipe", "about:blank"]
        # first out of the way of 3 and 4: a descriptor that is copied to itself would be closed
        keep_in, keep_out = fcntl.fcntl(into, fcntl.F_DUPFD, 10), fcntl.fcntl(out, fcntl.F_DUPFD, 10)
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, close_fds=False,
                                        preexec_fn=lambda: (os.dup2(keep_in, 3), os.dup2(keep_out, 4)))
        for descriptor in (into, out, keep_in, keep_out):
            os.close(descriptor)
        self.read_end, self.write_end = from_browser, to_browser
        os.set_blocking(self.read_end, False)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            if time.monotonic() > deadline:
                raise TimeoutError("the browser does not answer")
            try:
                part = os.read(self.read_end, 1 << 20)
            except BlockingIOError:
                time.sleep(0.005)
                continue
            if not part:
                raise EOFError("the browser ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        message = json.dumps(command).encode() + b"\0"
        while message:
            message = message[os.write(self.write_end, message):]
        deadline = time.monotonic() + DEADLINE_S
        while True:
            answer = self.receive(deadline)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(method + ": " + answer["error"]["message"])
            else:
                return answer["result"]

    def open(self, path, width=1280, height=900, scheme="light", media=""):
        """Loads a file; events are those since."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + DEADLINE_S
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive(deadline))

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def press(self, key):
        code, text = {"Tab": (9, ""), "Enter": (13, "\r")}[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def named(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    def requests(self):
        return [event["request"]["url"] for event in self.named("Network.requestWillBeSent")]

    def complaints(self):
        said = [json.dumps(event) for event in self.named("Runtime.exceptionThrown")]
        said += [json.dumps(event) for event in self.named("Runtime.consoleAPICalled") if event["type"] in ("error", "warning")]
        return said + [event["entry"]["text"] for event in self.named("Log.entryAdded")
                       if event["entry"]["level"] in ("error", "warning")]
