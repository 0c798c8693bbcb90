import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import { isTest, parse, type SourceFile, type SyntaxNode } from './source-file.ts'

/** Where a public name is declared. */
export interface PublicName {
  readonly name: string
  /** The file that declares it. */
  readonly path: string
  /** The name it has there. */
  readonly localName: string
  readonly isCallable: boolean
  readonly hasDocComment: boolean
}

type Files = ReadonlyMap<string, SourceFile>

/** Every name that `path` exports, followed through re-exports to the file that declares it. */
export function publicNames(path: string, files: Files): readonly PublicName[] {
  const file = files.get(path)
  if (file === undefined) throw new Error(`${path} is not there`)
  const { module } = parse(file)
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, importName, exportName, localName }) => {
      const name = exportName.name ?? 'default'
      if (!moduleRequest) return [followed(file, name, localName.name ?? name, files)]
      const target = posix.join(posix.dirname(path), moduleRequest.value)
      const inside = publicNames(target, files)
      if (importName.kind === 'AllButDefault' || importName.kind === 'All') return inside
      return inside
        .filter((found) => found.name === importName.name)
        .map((found) => ({ ...found, name }))
    })
}

/** A name exported by the file itself: declared there, or imported there and exported again. */
function followed(file: SourceFile, name: string, localName: string, files: Files): PublicName {
  const imported = parse(file).module.staticImports.find(({ entries }) =>
    entries.some((entry) => entry.localName.value === localName),
  )
  if (imported === undefined) return declaredIn(file, name, localName)
  const entry = imported.entries.find(({ localName: local }) => local.value === localName)
  const target = posix.join(posix.dirname(file.path), imported.moduleRequest.value)
  const source = publicNames(target, files).find((found) => found.name === entry?.importName.name)
  if (source === undefined) throw new Error(`${file.path} exports ${name}, which is nowhere`)
  return { ...source, name }
}

function declaredIn(file: SourceFile, name: string, localName: string): PublicName {
  const { program, comments } = parse(file)
  for (const statement of program.body as readonly SyntaxNode[]) {
    const declaration = (statement.declaration ?? statement) as SyntaxNode
    const declared = declarators(declaration).find(({ id }) => id === localName)
    if (declared === undefined) continue
    const hasDocComment = comments.some(
      ({ type, value, end }) =>
        type === 'Block' &&
        value.startsWith('*') &&
        end <= statement.start &&
        file.text.slice(end, statement.start).trim() === '',
    )
    const { isCallable } = declared
    return { name, path: file.path, localName, isCallable, hasDocComment }
  }
  throw new Error(`${file.path} exports ${name}, which it does not declare`)
}

function declarators(node: SyntaxNode): readonly { id: string; isCallable: boolean }[] {
  if (node.type === 'VariableDeclaration') {
    return (node.declarations as readonly SyntaxNode[]).map((declarator) => ({
      id: idOf(declarator),
      isCallable: /Function|Class/.test((declarator.init as SyntaxNode | null)?.type ?? ''),
    }))
  }
  const isCallable = /^(Function|Class)Declaration$/.test(node.type)
  return [{ id: idOf(node), isCallable }]
}

function idOf(node: SyntaxNode): string {
  return (node.id as { readonly name?: string } | null | undefined)?.name ?? ''
}

/** The names that tests import, and examples, which a test runs and which check what they show. */
export function namesInTests(files: readonly SourceFile[]): ReadonlySet<string> {
  return new Set(
    files
      .filter(({ path }) => isTest(path) || path.startsWith('examples/'))
      .flatMap((file) => importsOf(file).flatMap(({ names }) => names)),
  )
}
