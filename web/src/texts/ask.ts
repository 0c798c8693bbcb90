const dollars = (amount: number) => `$${amount === 0 ? '0' : amount.toPrecision(2)}`
const range = (from: string, to: string) => (from === to ? from : `${from} to ${to}`)
const whole = new Intl.NumberFormat('en')

/** The texts of where a question is asked that are not in `texts.ask`. */
export const askTexts = {
  sources: 'Sources',
  library: 'The library',
  librarySize: (count: number, isAll: boolean) =>
    count === 0 ? 'empty: the sample library is used' : `${count}${isAll ? '' : '+'} sources`,
  drop: 'Drop files anywhere on this page, or',
  choose: 'Choose files',
  dropHere: 'Drop the files to add them to the library and ask them',
  dropWhy: 'They are added to the library before the question is asked.',
  files: 'Files and folders of the server',
  filesWhy:
    'Paths in its folder of files, one on each line. They are searched for this question only.',
  web: 'Search the web too',
  webOff: 'The web is off at this server. “scholium serve --web” allows it.',
  adding: 'Adding the files first …',
  notAdded: 'Not all files were added: see above. Ask again to ask without them.',
  models: 'Models',
  modelsWhy: 'They are chosen where the server is started, and shown in Set-up.',
  roles: {
    planner: 'plans',
    researcher: 'searches and reads',
    expert: 'writes',
    critic: 'criticises',
    finalizer: 'decides when it is done',
    verifier: 'checks each sentence',
  } as Readonly<Record<string, string>>,
  perMillion: (input: number, output: number) => `$${input} in, $${output} out per million tokens`,
  estimate: {
    none: 'The estimate is not known.',
    calls: (from: number, to: number) => `${range(String(from), String(to))} model calls`,
    tokens: (from: number, to: number) => `${range(whole.format(from), whole.format(to))} tokens`,
    cost: (from: number, to: number) => (to === 0 ? 'free' : range(dollars(from), dollars(to))),
    noPrice: 'cost unknown',
    rough: 'roughly, as there is no earlier question like it',
    earlier: (count: number) =>
      count === 1 ? 'from 1 earlier question' : `from ${count} earlier questions`,
    expected: 'Expected',
  },
  noModel: {
    title: 'No language model is set',
    why: 'Answers are sentences quoted from your sources by the built-in engine. It is free and works offline, but it does not write. For written answers, start the server with a model:',
    local: 'On this machine, with Ollama:',
    localCommand: 'ollama pull qwen3\nscholium serve --model ollama:qwen3',
    service: 'With a service and its key:',
    serviceCommand: 'OPENAI_API_KEY=… scholium serve --model openai:gpt-5',
    more: 'What works and what is missing',
  },
  papers: 'Review papers on a topic instead',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'The browser does not allow copying here. Select the text instead.',
}
