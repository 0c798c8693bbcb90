/** Python that tries to get out and, refused, goes on: all are tried in one process. Each makes `harm` of what it got. */
export const attacks: Readonly<Record<string, string>> = {
  'reads a file': `harm = open('/etc/hostname').read()`,
  'reads the package that the process may read': `harm = open(PACKAGE).read()`,
  'finds files of the machine': `import os; harm = [p for p in ('/etc', '/usr', '/proc/1', '/var') if os.path.exists(p)]`,
  'reads a variable of the environment': `import os; harm = os.environ.get('SCHOLIUM_SECRET') or os.environ.get('NODE_OPTIONS')`,
  'connects a socket': `import socket; s = socket.socket(); s.connect(('127.0.0.1', PORT)); harm = 1`,
  'connects a socket without waiting': `import socket; s = socket.socket(); s.setblocking(False); s.connect(('127.0.0.1', PORT)); s.send(b'x'); harm = 1`,
  'fetches a page': `import urllib.request; harm = urllib.request.urlopen(f'http://127.0.0.1:{PORT}/').read()`,
  'fetches a page through the bridge': `import pyodide.http; harm = pyodide.http.open_url(f'http://127.0.0.1:{PORT}/').read()`,
  'installs a package': `import micropip; harm = 1`,
  'starts a process': `import subprocess; harm = subprocess.run(['/bin/true'])`,
  'opens a pipe to a process': `import os; harm = os.popen('id').read()`,
  forks: `import os; harm = os.fork()`,
  'becomes another program': `import os; os.execv('/bin/true', ['true'])`,
  'starts a thread': `import threading; threading.Thread(target=print).start(); harm = 1`,
  'starts a process of Python': `import multiprocessing; multiprocessing.Process(target=print).start(); harm = 1`,
  'kills its parent': `import os; os.kill(os.getppid(), 9); harm = 1`,
  'kills the real parent': `import os; os.kill(PARENT, 9); harm = 1`,
  'imports js': `import js; harm = js`,
  'imports pyodide_js': `import pyodide_js; harm = pyodide_js`,
  'imports them after cleaning up': `
import sys
for name in ('js', 'pyodide_js', '_pyodide_core.js'): sys.modules.pop(name, None)
import js
harm = js`,
  'runs JavaScript': `import pyodide; harm = pyodide.code.run_js('process')`,
  'makes a function of text': `
from pyodide.ffi import to_js
harm = to_js({}).constructor.constructor('return globalThis')()`,
  'makes an async function of text': `
from pyodide.ffi import to_js, create_proxy
async def f(): pass
harm = to_js(create_proxy(f)).constructor.constructor('return import("node:fs")')()`,
  'gets the global object from a function without this': `
from pyodide.ffi import to_js
harm = to_js([1]).constructor.prototype.valueOf.call(None)`,
  'pollutes a prototype': `
from pyodide.ffi import to_js
to_js([1]).constructor.prototype.toJSON = lambda *a: 'forged'`,
  'finds a bridge among the objects': `
import gc, sys
from pyodide.ffi import JsProxy
found = [o for o in gc.get_objects() if isinstance(o, JsProxy)]
for module in [m for m in sys.modules.values() if m is not None]:
  found += [v for v in vars(module).values() if isinstance(v, JsProxy)]
harm = [f for o in found for f in ('process', 'require', 'fetch', 'eval') if getattr(o, f, None) is not None]`,
  'loads a library': `import ctypes; harm = ctypes.CDLL('/lib/libc.so.6')`,
  'writes to pipes that it was not given': `
import os
harm = []
for handle in range(3, 64):
  try: harm.append(os.write(handle, b'{}'))
  except OSError: pass`,
  'forges a line of the protocol': `import os; os.write(1, b'{"type":"done","result":"{}"}' + bytes([10]))`,
  'takes a text for a figure': `plot.line([1, 2], title='</text><script>alert(1)</script>')`,
}

/** Python that ends its interpreter in trying. */
export const lastAttacks: Readonly<Record<string, string>> = {
  'runs JavaScript through the C library': `
import ctypes
ctypes.CDLL(None).emscripten_run_script(b"process.kill(process.ppid, 9)")`,
  'gets the value of JavaScript through the C library': `
import ctypes
library = ctypes.CDLL(None)
library.emscripten_run_script_string.restype = ctypes.c_char_p
library.emscripten_run_script_string(b"process.version")`,
  listens: `import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); s.getsockname()`,
  'starts a shell': `import os; os.system('touch ' + TARGET)`,
  'starts a shell through the C library': `
import ctypes; ctypes.CDLL(None).system(('touch ' + TARGET).encode())`,
  'writes over its memory': `import ctypes; ctypes.memset(0, 255, 50_000_000)`,
  ends: `import os; os._exit(0)`,
  'kills itself': `import os, signal; os.kill(os.getpid(), signal.SIGKILL)`,
  'overflows the stack': `
import sys
sys.setrecursionlimit(10 ** 9)
class Deep:
  def __getattr__(self, name): return getattr(self, name + 'a')
Deep().x`,
  'sends a result that is none': `import json; json.dumps = lambda *a, **k: '{"value":1}'`,
  'sends a figure that is none': `plot._figures.append('<svg onload="alert(1)"/>')`,
  'draws foreign markup': `
plot._figures.append({'kind': 'line', 'title': '', 'xLabel': '', 'yLabel': '', 'xs': ['<script>'], 'ys': [1]})`,
}
