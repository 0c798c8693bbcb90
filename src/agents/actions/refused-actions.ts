import type { ComposedFeatures } from './composed/create-composed-actions.ts'

/** A group of actions of the format, and what they would need. */
interface Refusal {
  readonly names: string
  readonly needs: string
}

const graphDatabase =
  'a graph database. Store entities with memory.store, or texts with vector.store'
const neo4j = 'a Neo4j server'
const firebase = 'a Firebase project. Use ltm.store, ltm.retrieve and ltm.search'
const embeddings =
  'stored vectors. llm.embed creates embeddings; vector.store and vector.query search without them'
const embed = 'another name. Use llm.embed'
const otherAgents = 'a server for communication with other agent programs. Use agent.* in one file'
const sessions = 'server sessions. A run keeps its own state and can be resumed'
const tables = 'DuckDB. Use csv.parse, data.filter and json.transform'
const github = 'a GitHub account. Use http.get or http.post with a token in secrets'
const extraction =
  'a LlamaCloud account. Use vector.index_files, or llm.call with a response_format'
const learning = 'TextGrad. Use reflection.loop or reason.self_correct'
const storage = 'cloud storage. Use file.read and file.write in the workspace'

const refusals: readonly Refusal[] = [
  {
    names:
      'a2a.send a2a.receive a2a.broadcast a2a.delegate a2a.state.get a2a.state.set a2a.discover a2a.register a2a.unregister a2a.heartbeat',
    needs: otherAgents,
  },
  {
    names: 'academic.pubmed',
    needs:
      'the PubMed API, which is not supported. academic.crossref finds most of its works, web.search the rest',
  },
  { names: 'execution.run', needs: 'another name. Use code.execute, or a node with run' },
  {
    names: 'auth.verify auth.get_user',
    needs: 'a server with user accounts: agent files are not served as web services',
  },
  {
    names: 'bmad.parse_story bmad_parse_story',
    needs: 'the BMad format. Use markdown.parse, which finds sections and tasks',
  },
  {
    names:
      'catalog.register_table catalog.get_table catalog.list_tables catalog.track_file catalog.get_file catalog.list_files catalog.create_snapshot catalog.get_latest_snapshot catalog.list_snapshots catalog.get_changed_files',
    needs: tables,
  },
  {
    names: 'checkpoint.save checkpoint.load',
    needs: 'separate checkpoints. Every step is recorded, and every run can be resumed and forked',
  },
  {
    names: 'code.sandbox',
    needs: 'processes that persist between nodes. Use code.execute, and keep values in the state',
  },
  {
    names: 'context.assemble',
    needs: 'context layers in settings. Use vector.query, and put its results in the prompt',
  },
  {
    names: 'data.create_table data.insert data.update data.delete data.query data.consolidate',
    needs: tables,
  },
  {
    names: 'embedding.create memory.embed memory.embed_batch',
    needs: embed,
  },
  {
    names: 'error.retry',
    needs: 'a stored failure. Use on_error with max_retries in the node that fails',
  },
  {
    names: 'firestore.get firestore.set firestore.query firestore.delete firestore.batch',
    needs: firebase,
  },
  {
    names:
      'git.worktree_create git.worktree_remove git.worktree_merge git.worktree_list git.current_branch git.status',
    needs: 'local processes, which agent files cannot start',
  },
  {
    names: 'github.list_issues github.create_issue github.update_issue github.search_issues',
    needs: github,
  },
  {
    names:
      'graph.store_entity graph.store_relation graph.query graph.retrieve_context graph.delete_entity graph.delete_relation graph.update_entity graph.update_relation graph.add_labels graph.remove_labels graph.store_entities_batch graph.store_relations_batch graph.delete_entities_batch graph.merge_entity graph.merge_relation graph.create graph.drop graph.algorithm graph.shortest_path graph.list_graphs graph.vector_search graph.create_vector_index graph.drop_vector_index graph.list_vector_indexes graph.check_vector_support',
    needs: graphDatabase,
  },
  {
    names: 'http.respond',
    needs: 'a web server. Use core.return for the result of the run',
  },
  {
    names:
      'learn.textgrad.variable learn.textgrad.feedback learn.textgrad.optimize_prompt learn.textgrad.reflection_corrector textgrad.variable textgrad.feedback textgrad.optimize_prompt textgrad.reflection_corrector',
    needs: learning,
  },
  {
    names:
      'llamaextract.extract llamaextract.upload_agent llamaextract.list_agents llamaextract.get_agent llamaextract.delete_agent llamaextract.submit_job llamaextract.poll_status llamaextract.get_result',
    needs: extraction,
  },
  {
    names:
      'memory.mem0.add memory.mem0.search memory.mem0.get_all memory.mem0.get memory.mem0.update memory.mem0.delete memory.mem0.test',
    needs: 'Mem0. Use ltm.store and ltm.search',
  },
  {
    names:
      'memory.cloud_store memory.cloud_retrieve memory.cloud_list memory.manifest_update memory.manifest_search memory.grep memory.sql_query memory.search_content',
    needs: firebase,
  },
  {
    names:
      'memory.backfill_embeddings memory.vector_search memory.vector_search_by_embedding memory.vector_load_data memory.vector_build_index memory.vector_stats',
    needs: embeddings,
  },
  {
    names:
      'neo4j.gds_check_available neo4j.gds_version neo4j.gds_project_graph neo4j.gds_drop_graph neo4j.gds_list_graphs neo4j.gds_estimate_memory neo4j.gds_page_rank neo4j.gds_betweenness neo4j.gds_degree neo4j.gds_closeness neo4j.gds_louvain neo4j.gds_label_propagation neo4j.gds_wcc neo4j.gds_dijkstra neo4j.gds_astar neo4j.gds_all_shortest_paths neo4j.gds_node_similarity neo4j.gds_knn',
    needs: neo4j,
  },
  {
    names:
      'neo4j.check_apoc neo4j.get_apoc_version neo4j.check_triggers neo4j.register_trigger neo4j.unregister_trigger neo4j.list_triggers neo4j.pause_trigger neo4j.resume_trigger neo4j.register_callback neo4j.register_state_update neo4j.cleanup_triggers',
    needs: neo4j,
  },
  {
    names: 'notify actions.notify',
    needs: 'a notification channel. Use http.post with the address of its webhook',
  },
  {
    names: 'obs.get_flow_log obs.log_event obs.query_events',
    needs: "a separate log. The run's log has every step; use trace.log for notes",
  },
  {
    names: 'opik.healthcheck',
    needs: 'an Opik account. "scholium trace export RUN --otlp" sends traces to any collector',
  },
  {
    names: 'rag.llamaindex.router rag.llamaindex.subquestion',
    needs: 'a model inside the index. Use reason.react with vector.query, or reason.decompose',
  },
  {
    names: 'secrets.get',
    needs:
      'the secret in the state, where the log would show it. Write {{ secrets.NAME }} where it is used',
  },
  { names: 'semtools.search', needs: 'SemTools. Use vector.index_files and vector.query' },
  {
    names:
      'session.create session.end session.archive session.restore session.get session.list session.archive_expired session.load session.save session.delete session.exists',
    needs: sessions,
  },
  {
    names:
      'storage.list storage.exists storage.delete storage.copy storage.info storage.mkdir storage.native storage.hash',
    needs: storage,
  },
  {
    names: 'tools.crewai tools.mcp tools.langchain tools.discover tools.clear_cache',
    needs:
      'a bridge to other programs. MCP servers are set up in the configuration; tools.list lists their tools',
  },
  {
    names: 'web.crawl',
    needs: 'a site crawler, which few sites allow. Use web.search and web.scrape',
  },
  {
    names: 'core.condition core.conditional',
    needs: 'a routing action. Use goto with rules {if, to}',
  },
]

/** Alternative names of the format for existing actions. */
const secondNames =
  'json_parse json_transform json_stringify csv_parse csv_stringify data_validate data_merge data_filter markdown_parse'

const dspy = ['cot', 'react', 'compile', 'optimize', 'export', 'import', 'list_compiled']

const composedRefusalsByName: readonly (readonly [string, string])[] = [
  ['llm.local.call', 'a model loaded from a file. Serve it with ollama and use llm.call'],
  ['llm.local.chat', 'a model loaded from a file. Serve it with ollama and use llm.chat'],
  ['llm.local.stream', 'a model loaded from a file. Serve it with ollama and use llm.stream'],
  ['llm.local.embed', 'a model loaded from a file. Serve it with ollama and use llm.embed'],
  ['agent.crewai_delegate', 'CrewAI. Use agent.sequential or agent.coordinate'],
  [
    'web.ai_scrape',
    'the service ScrapeGraph. Use web.scrape and then llm.call with a response_format',
  ],
  ['ratelimit.wrap', "a limiter of calls: the services' own limits are waited for"],
  ...dspy.map(
    (name) =>
      [`reason.dspy.${name}`, `DSPy. Use reason.${name === 'react' ? 'react' : 'cot'}`] as const,
  ),
]

/**
 * Actions of the format that do not exist here, and what each would need. Those of switched-off features are included.
 */
export function refusedActions(features: ComposedFeatures = {}): ReadonlyMap<string, string> {
  const off = features.reasoning === false ? ['cot', 'react', 'self_correct', 'decompose'] : []
  return new Map([
    ...refusals.flatMap(({ names, needs }) =>
      names.split(' ').map((name) => [name, needs] as const),
    ),
    ...secondNames
      .split(' ')
      .map((name) => [name, `its first name: ${name.replace('_', '.')}`] as const),
    ...composedRefusalsByName,
    ...off.map((name) => [`reason.${name}`, switchedOff] as const),
  ])
}

const switchedOff = 'the feature reasoning, which is switched off in the configuration'
