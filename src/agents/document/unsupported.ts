/** A key of the format that is not supported, and what happens to it. */
export interface Unsupported {
  /** `ignored`: the file means the same without it. `refused`: the file would not do what it says. */
  readonly fate: 'ignored' | 'refused'
  readonly reason: string
  readonly hint?: string
}

const ignored = (reason: string, hint?: string): Unsupported => ({
  fate: 'ignored',
  reason,
  ...(hint === undefined ? {} : { hint }),
})
const refused = (reason: string, hint?: string): Unsupported => ({
  fate: 'refused',
  reason,
  ...(hint === undefined ? {} : { hint }),
})

const traced = 'every run keeps its own log'
const inMemory = 'memory is kept in the library of this program'

/** Keys at the top. */
export const unsupportedAtTop: Readonly<Record<string, Unsupported>> = {
  endpoint: ignored('agent files are not served as web services', 'Use scholium serve.'),
  endpoints: ignored('agent files are not served as web services', 'Use scholium serve.'),
  auth: ignored('agent files are not served as web services'),
  observability: ignored(traced, 'Use scholium trace.'),
  validation_constraints: ignored(
    'validate.extraction does not run rules',
    'Run them in a node with language: prolog.',
  ),
  semantic_probes: ignored(
    'validate.extraction does not call a model',
    'Call one in a node with uses: llm.call.',
  ),
  validation_logging: ignored(traced),
}

const otherExtraction = ignored(
  'entities and relationships define what is required',
  'Write {entities: {types, required_fields}, relationships: {types, required_fields}}.',
)

/** Keys of `extraction_schema`: another form of it, used in examples of the format. */
export const unsupportedInExtraction: Readonly<Record<string, Unsupported>> = {
  entity_types: otherExtraction,
  entity_fields: otherExtraction,
  relationship_types: otherExtraction,
  relationship_fields: otherExtraction,
  required_fields: otherExtraction,
  optional_fields: otherExtraction,
}

/** Keys of `settings`. */
export const unsupportedInSettings: Readonly<Record<string, Unsupported>> = {
  auto_trace: ignored(traced),
  trace_exporter: ignored(traced, 'Use scholium trace export RUN --otlp.'),
  trace_file: ignored(traced),
  auto_trace_llm_payloads: ignored(traced),
  trace_payload_retention_days: ignored(traced, 'Use scholium trace cleanup.'),
  opik: ignored(traced),
  observability: ignored(traced),
  a2a: ignored('agents cannot talk to agents of other programs'),
  dspy: ignored('DSPy is not supported'),
  textgrad: ignored('TextGrad is not supported'),
  mem0: ignored(inMemory),
  memory: ignored(inMemory),
  ltm: ignored(inMemory),
  cache: ignored('caching is set per node', 'Use cache in the node.'),
  interview: ignored('a run waits at the nodes in config.interrupt_before'),
  auth: ignored('agent files are not served as web services'),
  error_handling: refused('error handling is set per node', 'Use on_error there.'),
  secrets: refused('secrets are environment variables', 'Use secrets at the top of the file.'),
}

const localModel = ignored(
  'models are called through a service',
  'Serve the model with a local server such as Ollama, and give its name in model.',
)

/** Keys of `settings.llm` and `llm`. */
export const unsupportedInLlm: Readonly<Record<string, Unsupported>> = {
  backend: localModel,
  model_path: localModel,
  n_ctx: localModel,
  n_gpu_layers: localModel,
  n_threads: localModel,
}

const branchesRunHere = ignored('branches run concurrently in one process on this machine')

/** Keys of `settings.parallel`. */
export const unsupportedInParallel: Readonly<Record<string, Unsupported>> = {
  strategy: branchesRunHere,
  streams: ignored('nodes cannot pass byte streams to each other'),
  remote: branchesRunHere,
}

/** Keys of `config`. */
export const unsupportedInConfig: Readonly<Record<string, Unsupported>> = {
  raise_exceptions: ignored('a node that fails always ends the run', 'Use on_error in the node.'),
  checkpoint_dir: ignored('every step is recorded and every run can be resumed'),
}

/** Keys of a node. */
export const unsupportedInNode: Readonly<Record<string, Unsupported>> = {
  streams: refused('nodes cannot pass byte streams to each other', 'Pass values in the state.'),
  strategy: refused(
    'matrix values are not supported',
    'Use type: dynamic_parallel with the combinations as items.',
  ),
  prompt: ignored('nodes call models with uses: llm.call', 'Put the prompt under with.'),
  parallel_each: refused(
    'parallel_each is not supported',
    'Use type: dynamic_parallel with items.',
  ),
}

/** Keys of an `on_error`. */
export const unsupportedInErrorRule: Readonly<Record<string, Unsupported>> = {
  capture_traceback: ignored('the log records what failed and where'),
  retryable_errors: ignored('each error records whether retrying can help'),
}

/** Keys of an edge. */
export const unsupportedInEdge: Readonly<Record<string, Unsupported>> = {
  stream_mode: ignored('nodes cannot pass byte streams to each other'),
  parallel_strategy: branchesRunHere,
}

/** Keys of a `dynamic_parallel` node, in addition to those of every node. */
export const unsupportedInEach: Readonly<Record<string, Unsupported>> = {
  parallel_strategy: branchesRunHere,
}
