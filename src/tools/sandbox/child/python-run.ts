/** The Python module that runs the code: the last expression is its value, tracebacks show only lines of that code. */
export const runModule = String.raw`
import ast
import gc
import json
import keyword
import linecache
import os
import random
import shutil
import sys
import traceback

import plot

FILE = '<code>'
MAX_MESSAGE = 2_000
MAX_TRACEBACK = 4_000
MAX_DEPTH = 50
MAX_EXACT = 2 ** 53
CLOSED = ('js', 'pyodide_js', 'scholium_run')

_clean = {}


def run(code, input_json, value_characters, memory_mb):
    if not _clean:
        remember()
    random.seed(0)
    for name in CLOSED:
        sys.modules[name] = None
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    value, error = None, None
    try:
        value = shown(evaluate(code, json.loads(input_json)), value_characters)
    except SystemExit as end:
        if end.code not in (None, 0):
            error = described(end, memory_mb)
    except BaseException as raised:
        error = described(raised, memory_mb)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    return json.dumps({'value': value, 'error': error, 'figures': plot.recorded()})


def evaluate(code, inputs):
    inputs = {
        name: value for name, value in inputs.items()
        if name.isidentifier() and not keyword.iskeyword(name) and not name.startswith('__')
    }
    names = {'__name__': '__main__', 'plot': plot, **inputs}
    tree = ast.parse(code, FILE)
    if returns(tree):
        exec(compile(as_function(tree, inputs), FILE, 'exec'), names)
        return names.pop('__main')(**{name: inputs[name] for name in parameters(tree, inputs)})
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, FILE, 'exec'), names)
    if last is not None:
        return eval(compile(ast.Expression(last.value), FILE, 'eval'), names)


def own_nodes(tree):
    """What belongs to the code itself, not to a function or class in it."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def returns(tree):
    return any(isinstance(node, ast.Return) for node in own_nodes(tree))


def parameters(tree, inputs):
    outer = {name for node in own_nodes(tree) if isinstance(node, ast.Global) for name in node.names}
    return [name for name in inputs if name not in outer]


def as_function(tree, inputs):
    """The code as the body of a function whose parameters are the inputs, on the same lines."""
    made = ast.parse('def __main(): pass')
    function = made.body[0]
    function.body = tree.body
    function.args.args = [ast.arg(name) for name in parameters(tree, inputs)]
    return ast.fix_missing_locations(made)


def remember():
    """What is to be as it was for the next run."""
    _clean['modules'] = {
        name: (module, dict(vars(module)))
        for name, module in sys.modules.items()
        if hasattr(module, '__dict__') and name not in CLOSED
    }
    _clean['environ'] = dict(os.environ)
    _clean['folder'] = os.getcwd()
    _clean['path'] = list(sys.path)
    _clean['recursion'] = sys.getrecursionlimit()


def renew():
    """Undoes what a run can do to the interpreter, as far as that is seen from here."""
    sys.settrace(None)
    sys.setprofile(None)
    modules = _clean['modules']
    for name in list(sys.modules):
        if name not in modules:
            del sys.modules[name]
    for name, (module, members) in modules.items():
        sys.modules[name] = module
        own = vars(module)
        for member in [member for member in own if member not in members]:
            del own[member]
        own.update(members)
    sys.path[:] = _clean['path']
    sys.setrecursionlimit(_clean['recursion'])
    os.environ.clear()
    os.environ.update(_clean['environ'])
    os.chdir(_clean['folder'])
    for name in os.listdir('/tmp'):
        path = os.path.join('/tmp', name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)
    plot.recorded().clear()
    linecache.clearcache()
    gc.collect()


def shown(value, limit):
    if is_json(value, 0):
        text = json.dumps(value)
        if len(text) <= limit:
            return value
    return cut(value if type(value) is str else repr(value), limit)


def is_json(value, depth):
    kind = type(value)
    if value is None or kind is bool:
        return True
    if kind is str:
        return value.isascii() or not any('\ud800' <= c <= '\udfff' for c in value)
    if kind is int:
        return -MAX_EXACT < value < MAX_EXACT
    if kind is float:
        return value - value == 0
    if depth >= MAX_DEPTH:
        return False
    if kind is list:
        return all(is_json(item, depth + 1) for item in value)
    if kind is dict:
        return all(
            type(key) is str and is_json(key, depth) and is_json(item, depth + 1)
            for key, item in value.items()
        )
    return False


def cut(text, limit):
    text = text.encode('utf-8', 'backslashreplace').decode()
    if len(text) <= limit:
        return text
    half = limit // 2
    return f'{text[:half]}\n… {len(text) - 2 * half} characters cut …\n{text[-half:]}'


def described(raised, memory_mb):
    try:
        message = str(raised)
    except BaseException:
        message = ''
    if isinstance(raised, MemoryError) and message == '':
        message = f'The code may use {memory_mb} MB with Python itself.'
    frames = [f for f in traceback.extract_tb(raised.__traceback__) if f.filename == FILE]
    line = frames[-1].lineno if frames else None
    if isinstance(raised, SyntaxError) and raised.filename == FILE:
        message, line = raised.msg, raised.lineno
    lines = traceback.StackSummary.from_list(frames).format()
    return {
        'type': cut(type(raised).__name__, 200),
        'message': cut(message, MAX_MESSAGE),
        'line': line,
        'traceback': cut(''.join(lines), MAX_TRACEBACK),
    }
`
