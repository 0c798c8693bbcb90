/** The Python module that runs a person's code: the last expression is its value, errors show only lines of that code. */
export const RUN_MODULE = String.raw`
import ast
import json
import linecache
import random
import sys
import traceback

import plot

FILE = '<code>'
MAX_MESSAGE = 2_000
MAX_TRACEBACK = 4_000
MAX_DEPTH = 50
MAX_EXACT = 2 ** 53


def run(code, value_characters, memory_mb):
    random.seed(0)
    for name in ('js', 'pyodide_js', 'scholium_run'):
        sys.modules[name] = None
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    value, error = None, None
    try:
        value = shown(evaluate(code), value_characters)
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


def evaluate(code):
    names = {'__name__': '__main__', 'plot': plot}
    tree = ast.parse(code, FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, FILE, 'exec'), names)
    if last is not None:
        return eval(compile(ast.Expression(last.value), FILE, 'eval'), names)


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
