import { dirname, resolve } from 'node:path'
import ts from 'typescript'

/** A TypeScript language service for programs that exist only in memory, next to the repository's files. */
export class ProgramService {
  readonly #files = new Map<string, { text: string; version: number }>()
  readonly #options = readOptions()
  readonly #service = ts.createLanguageService(this.#host(), ts.createDocumentRegistry())

  /** Adds or replaces a file; the same text changes nothing. */
  write(file: string, text: string): void {
    const path = resolve(file)
    const known = this.#files.get(path)
    if (known?.text !== text) this.#files.set(path, { text, version: (known?.version ?? 0) + 1 })
  }

  /** Returns a file's errors, with their positions in the text. */
  errorsOf(file: string): { start: number; message: string }[] {
    const path = resolve(file)
    const found = [
      ...this.#service.getSyntacticDiagnostics(path),
      ...this.#service.getSemanticDiagnostics(path),
    ]
    return found.map(({ start = 0, messageText }) => ({
      start,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }))
  }

  /** Returns what an editor shows for each identifier of a file. */
  typesOf(file: string): { start: number; end: number; info: ts.QuickInfo }[] {
    const path = resolve(file)
    const source = this.#service.getProgram()?.getSourceFile(path)
    if (!source) return []
    return identifiersOf(source).flatMap((node) => {
      const start = node.getStart(source)
      const info = this.#service.getQuickInfoAtPosition(path, start)
      return info ? [{ start, end: node.getEnd(), info }] : []
    })
  }

  #host(): ts.LanguageServiceHost {
    const files = this.#files
    const isFolder = (path: string) => [...files.keys()].some((file) => dirname(file) === path)
    return {
      getCompilationSettings: () => this.#options,
      getCurrentDirectory: () => process.cwd(),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      getScriptFileNames: () => [...files.keys()],
      getScriptVersion: (path) => String(files.get(path)?.version ?? 0),
      getScriptSnapshot: (path) => {
        const text = files.get(path)?.text ?? ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
      readFile: (path) => files.get(path)?.text ?? ts.sys.readFile(path),
      directoryExists: (path) => isFolder(path) || ts.sys.directoryExists(path),
    }
  }
}

/** Returns the repository's compiler options, with the package resolved to its built declarations. */
function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] },
    ts.sys,
    '.',
  )
  const { paths: _, ...others } = options
  return others
}

function identifiersOf(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
