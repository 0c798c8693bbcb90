import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { SandboxError, SandboxResult } from '../../tools/sandbox/sandbox-result.ts'
import type { SandboxCode } from '../../tools/sandbox/sandbox-session.ts'
import type { CodeLanguage } from '../document/agent-document.ts'
import type { AgentRun, NodeView } from './agent-run.ts'
import { checkSize, expandRecords, withRecords } from './branch-record.ts'
import { visibleState } from './state.ts'

/** The code of a node or step. */
export interface Code {
  readonly language: CodeLanguage
  readonly code: string
  /** Whether changes that Python makes to `state` are part of its result. Default false. */
  readonly keepsState?: boolean
}

const languageNames: Readonly<Record<CodeLanguage, string>> = {
  python: 'Python',
  lua: 'Lua',
  prolog: 'Prolog',
  javascript: 'JavaScript',
}

/**
 * Runs code once per run; afterwards its value comes from the log. The code sees `state`, `variables`, `data` and the
 * names of its place, but no secrets.
 * @throws `tool_failed` with language and line for what the code throws or a limit it hits
 */
export async function runCode(run: AgentRun, given: Code, view: NodeView): Promise<Json> {
  const { language, code } = given
  const { sandbox } = run.parts
  const { context, state, names } = view
  if (sandbox === undefined && !context.isReplay)
    throw new ScholiumError('invalid_configuration', 'There is no sandbox for code.')
  const input = readCodeInput(run, state, names)
  return context.step(
    'run',
    'pure',
    { language, code, input },
    async ({ signal }) => {
      const result = await run.session().run(toSandboxRun(given, input), signal)
      const { output } = result
      if (output !== '')
        context.emit('progress', { output: output.slice(0, maxShownOutput) }, 'run')
      return codeValue(language, result)
    },
    { label: `${languageNames[language]} code`, reservation: { steps: 1, tokens: 0, costUsd: 0 } },
  )
}

/** What the sandbox runs: for Python, a module that implements the format's rules. */
function toSandboxRun(
  { language, code, keepsState = false }: Code,
  input: JsonObject,
): SandboxCode {
  if (language === 'python') {
    const all = { node_code: code, node_input: input, node_keeps: keepsState }
    return { language, code: PYTHON_NODE, input: all }
  }
  const { parallel_results: results, state } = input
  const seen = withRecords(state as JsonObject)
  const parallel = Array.isArray(results) ? { parallel_results: expandRecords(results, seen) } : {}
  const all =
    seen === state && !Array.isArray(results) ? input : { ...input, ...parallel, state: seen }
  if (all !== input) checkSize(all, maxCodeCharacters)
  return { language, code, input: all }
}

const maxShownOutput = 2_000

/** Maximum characters passed to code other than Python, where branch results are written out. */
const maxCodeCharacters = 16_000_000

function readCodeInput({ document }: AgentRun, state: JsonObject, names: JsonObject): JsonObject {
  const { variables, data } = document
  const parallel = state.parallel_results
  return {
    state: visibleState(state),
    variables,
    data,
    ...(parallel === undefined ? {} : { parallel_results: parallel }),
    ...names,
  }
}

function codeValue(language: CodeLanguage, { value, error }: SandboxResult): Json {
  if (error !== null) throw createCodeError(language, error)
  if (typeof value === 'string' && /\n… \d+ characters cut …\n/.test(value)) {
    throw new ScholiumError(
      'tool_failed',
      `${languageNames[language]} returned more than can be stored.`,
      {
        hint: 'Return less, or write it to a file.',
        details: { language },
      },
    )
  }
  // Of a goal without variables and without return/2, only its success is known.
  return language === 'prolog' && JSON.stringify(value) === '[{}]' ? null : value
}

function createCodeError(
  language: CodeLanguage,
  { type, message, line }: SandboxError,
): ScholiumError {
  // A value that cannot be stored has no line of its own: the whole code returned it.
  const isStateEvent = type === 'StateError'
  const where = line === null || isStateEvent ? '' : `, line ${line}`
  const said = isStateEvent ? message : `${type}: ${message}`
  return new ScholiumError('tool_failed', `${languageNames[language]}${where}: ${said}`, {
    retryable: type === 'TimeLimitExceeded' || type === 'SandboxCrashed',
    details: { language, type, ...(line === null || isStateEvent ? {} : { line }) },
  })
}

/**
 * The Python module that runs a node's code under the rules of the format. The code's result is what it returns or,
 * without a `return`, the variables it set. Branch results give access to their members as attributes, including those
 * of their states. Its inputs are `node_code` and `node_input`; with `node_keeps`, changes to `state` are part of the
 * result.
 */
const PYTHON_NODE = `
import ast
import copy
import datetime
import json
import types


MOST_DEPTH = 50
MOST_EXACT = 2 ** 53


class StateError(Exception):
    pass


class BranchResult(dict):
    def __missing__(self, key):
        state = dict.get(self, 'state')
        if isinstance(state, dict) and key in state:
            return state[key]
        raise KeyError(key)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __contains__(self, key):
        return dict.__contains__(self, key) or key in (dict.get(self, 'state') or {})

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default


def with_results(value, around):
    if isinstance(value, list) and value and all(is_result(item) for item in value):
        return [branch_result(item, around) for item in value]
    return value


def branch_result(item, around):
    if not item.get('inherits'):
        return BranchResult(item)
    state = {key: value for key, value in around.items() if key != 'parallel_results'}
    own = {key: value for key, value in item.items() if key != 'inherits'}
    return BranchResult({**own, 'state': {**state, **item['state']}})


def is_result(value):
    return isinstance(value, dict) and {'branch', 'success', 'state', 'timing_ms'} <= value.keys()


def plain(value, where, depth=0):
    kind = type(value)
    if kind is float and (value != value or value in (float('inf'), float('-inf'))):
        raise StateError(f'{where} is {value}, which a state cannot hold')
    if kind is int and not -MOST_EXACT < value < MOST_EXACT:
        return str(value)
    if kind is str and not value.isascii():
        return value.encode('utf-8', 'backslashreplace').decode()
    if value is None or kind in (bool, int, float, str):
        return value
    if depth >= MOST_DEPTH:
        raise StateError(f'{where[:80]}… is nested deeper than a state can hold')
    if isinstance(value, dict):
        return {key_text(key, where): plain(item, f'{where}[{key!r}]', depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, f'{where}[{index}]', depth + 1) for index, item in enumerate(value)]
    if isinstance(value, (str, int, float)):
        return plain(kind.__mro__[1](value), where, depth)
    raise StateError(f'{where} is a {kind.__name__}, which a state cannot hold')


def key_text(key, where):
    if isinstance(key, (str, int, float, bool)):
        return str(key)
    raise StateError(f'a key of {where} is a {type(key).__name__}, which a state cannot hold')


def own_nodes(tree):
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def made(names, given):
    new = {}
    for name, value in names.items():
        if name.startswith('_') or isinstance(value, (types.ModuleType, types.FunctionType, type)):
            continue
        if name in given and given[name] is value:
            continue
        try:
            new[name] = plain(value, name)
        except StateError:
            pass
    return new


def with_changes(result, state, before):
    if result is not None and not isinstance(result, dict):
        return result
    new = {key: plain(item, f'state[{key!r}]') for key, item in state.items() if before.get(key, state) != item}
    return {**new, **(result or {})} if new else result


def run_node(code, given):
    tree = ast.parse(code, '<code>')
    names = {'__name__': '__main__', 'json': json, 'datetime': datetime, **given}
    nodes = list(own_nodes(tree))
    if not any(isinstance(node, ast.Return) for node in nodes):
        exec(compile(tree, '<code>', 'exec'), names)
        new = made(names, given)
        return new if new else None
    outer = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    inner = [name for name in given if name not in outer]
    wrapper = ast.parse('def node_function(): pass')
    wrapper.body[0].body = tree.body
    wrapper.body[0].args.args = [ast.arg(name) for name in inner]
    exec(compile(ast.fix_missing_locations(wrapper), '<code>', 'exec'), names)
    function = names.pop('node_function')
    result = function(**{name: given[name] for name in inner})
    return plain(result, 'the result')


if 'parallel_results' in node_input:
    node_input['parallel_results'] = with_results(node_input['parallel_results'], node_input['state'])
node_state = {key: with_results(item, node_input['state']) for key, item in node_input['state'].items()}
node_input['state'] = node_state
node_before = copy.deepcopy(node_state) if node_keeps else {}
node_result = run_node(node_code, node_input)
with_changes(node_result, node_state, node_before) if node_keeps else node_result
`
