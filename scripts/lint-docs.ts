import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import ts from 'typescript'

/**
 * Reports exports and members of exported types without a doc comment. It reads the sources of the entry points that
 * `typedoc.json` lists, so that a finding names the line to change. Members with `@internal` are not published. It also
 * reports the schemas of the contract that differ from the interface of the same name.
 */
const { entryPoints } = JSON.parse(readFileSync('typedoc.json', 'utf8')) as {
  entryPoints: string[]
}
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  '.',
)
/** An in-memory program that compiles only if every interface in the contract equals its schema. */
const equalities = { file: 'scripts/equalities.ts', text: equalitiesOfContract() }
const host = ts.createCompilerHost(options)
const { getSourceFile } = host
host.getSourceFile = (file, version) =>
  file === equalities.file
    ? ts.createSourceFile(file, equalities.text, version)
    : getSourceFile(file, version)
const program = ts.createProgram([...entryPoints.map(sourceOf), equalities.file], options, host)
const checker = program.getTypeChecker()
const byPlace = new Intl.Collator('en', { numeric: true }).compare
const seen = new Set<ts.Node>()
const findings = entryPoints.flatMap((entry) => exportsOf(sourceOf(entry)).flatMap(undocumented))

for (const finding of findings.toSorted(byPlace)) console.log(finding)
console.log(`${findings.length} findings: each needs a doc comment.`)
const unequal = program.getSemanticDiagnostics(program.getSourceFile(equalities.file))
for (const { start = 0, messageText } of unequal) {
  const [line] = equalities.text.slice(start).split('\n')
  console.log(`${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
console.log(`${unequal.length} findings: each interface of src/contract equals its schema.`)
process.exitCode = findings.length + unequal.length === 0 ? 0 : 1

function equalitiesOfContract(): string {
  const files = globSync('src/contract/{*,summary-records/*}.ts').map((file, at) => {
    const text = readFileSync(file, 'utf8')
    const schemas = text.matchAll(/^export const ([A-Z]\w+)(?::.*)? = (?!\{)/gm)
    const checks = [...schemas]
      .map(([, name = '']) => name)
      .filter((name) => new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(text))
      .map((name) => {
        const type = `module${at}.${name}`
        return `expectTypeOf<z.infer<typeof ${type}>>().toEqualTypeOf<${type}>()`
      })
    return [`import type * as module${at} from '../${file}'`, ...checks]
  })
  const imports = ["import { expectTypeOf } from 'vitest'", "import type * as z from 'zod/mini'"]
  return [...imports, ...files.flat()].join('\n')
}

/** Returns the source file of a built file, such as `mock/index.ts` or `src/otel.ts`. */
function sourceOf(entry: string): string {
  return entry
    .replace(/^dist\/(?!mock\/)/, 'src/')
    .replace(/^dist\//, '')
    .replace('.d.ts', '.ts')
}

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is not a module.`)
  const isAlias = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Alias) !== 0
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (isAlias(symbol) ? checker.getAliasedSymbol(symbol) : symbol))
}

function undocumented(symbol: ts.Symbol): string[] {
  const types = (symbol.declarations ?? []).filter((node) => !ts.isVariableDeclaration(node))
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const members = (type.isUnion() ? type.types : [type]).flatMap((part) => part.getProperties())
  const statics = types.some(ts.isClassDeclaration)
    ? checker.getTypeOfSymbol(symbol).getProperties()
    : []
  return [
    ...report(symbol.name, types.length > 0 ? types : (symbol.declarations ?? [])),
    ...[...members, ...statics].flatMap((member) => membersOf(member, symbol.name)),
  ]
}

/** Includes the members of the types inside the member. */
function membersOf(member: ts.Symbol, parent: string): string[] {
  const name = `${ownerOf(member) ?? parent}.${member.name}`
  const declarations = (member.declarations ?? []).filter(isMember)
  const nested: ts.Symbol[] = []
  const visit = (node: ts.Node) => {
    if (ts.isPropertySignature(node)) nested.push(checker.getSymbolAtLocation(node.name) ?? member)
    else if (!ts.isBlock(node)) ts.forEachChild(node, visit)
  }
  const first = declarations.filter((node) => !seen.has(node))
  for (const node of first) ts.forEachChild(node, visit)
  return [...report(name, declarations), ...nested.flatMap((inner) => membersOf(inner, name))]
}

function isMember(node: ts.Declaration): boolean {
  const isNamed = ts.isClassElement(node) || ts.isTypeElement(node)
  return (
    isNamed &&
    !(node.name && (ts.isComputedPropertyName(node.name) || ts.isPrivateIdentifier(node.name)))
  )
}

/** Returns the interface or class that declares a member, which may differ from the exported type. */
function ownerOf(member: ts.Symbol): string | undefined {
  const parent = member.declarations?.[0]?.parent
  const isNamed = parent && (ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent))
  return isNamed ? parent.name?.text : undefined
}

/** Returns a finding, once, if the declarations are in this package and none has a comment. */
function report(name: string, declarations: readonly ts.Declaration[]): string[] {
  const [node] = declarations
  if (!node || seen.has(node)) return []
  for (const declaration of declarations) seen.add(declaration)
  const source = node.getSourceFile()
  const file = relative('.', source.fileName).replaceAll('\\', '/')
  const isOwn = /^(?:src|mock)\//.test(file)
  if (!isOwn || declarations.some((each) => isDocumented(each) || isHidden(each))) return []
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return [`${file}:${line + 1} ${name}`]
}

function isDocumented(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0
}

/** Returns whether a declaration is private, `@internal`, or an override, which inherits its comment. */
function isHidden(node: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Override
  const isFlagged = (ts.getCombinedModifierFlags(node) & hidden) !== 0
  return isFlagged || ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')
}
