import { copyFileSync, existsSync, globSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type Application,
  type Comment,
  type CommentDisplayPart,
  type CommentTag,
  type Context,
  Converter,
  type DeclarationReflection,
  type DocumentReflection,
  type NormalizedPath,
  PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  RendererEvent,
} from 'typedoc'
import { placeOf } from './order.ts'

/** What the reference site has beyond TypeDoc: the pages' own titles, sections as links, errors that are thrown by name. */
export function load(app: Application): void {
  if (!existsSync('dist/index.d.ts')) {
    app.logger.error('The reference site needs the build. Run: npm run build')
  }
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    hideMaking(project)
    inOrder(project)
  })
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }: Context) => {
    const sections = sectionLinks(project)
    for (const { comment } of Object.values(project.reflections)) {
      if (comment) explain(comment, sections, project)
    }
  })
  // Addresses are made by now, and stay as short as the names of the files.
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => nameByTitle(project))
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = (page.contents ?? '').replaceAll(/(href="[^"]*media\/[^"]+\.ts)"/g, '$1.txt"')
  })
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => addFiles(outputDirectory))
}

/** Classes that only the package makes have lost their constructors, and TypeDoc would show one without parameters. */
function hideMaking(project: ProjectReflection): void {
  // Of this kind are those only.
  const makers = project.getReflectionsByKind(ReflectionKind.Constructor) as DeclarationReflection[]
  for (const maker of makers) {
    const isBare = maker.signatures?.every(({ parameters = [] }) => parameters.length === 0)
    if (isBare) project.removeReflection(maker)
  }
}

function inOrder({ documents, childrenIncludingDocuments }: ProjectReflection): void {
  const place = (one: Reflection) => (one.isDocument() ? placeOf(one.name) : Number.MAX_VALUE)
  documents?.sort((one, other) => place(one) - place(other))
  childrenIncludingDocuments?.sort((one, other) => place(one) - place(other))
}

type Links = (text: string) => CommentDisplayPart[]

/** Comments say `(specification 4.8)` or `(specification part 9; …)`: the number becomes a link. */
function sectionLinks(project: ProjectReflection): Links {
  const path = resolve('docs/specification.md') as NormalizedPath
  const { target } = project.files.registerAbsolute(path)
  const anchors = anchorsOf(project)
  const linked = (words: string, number: string): CommentDisplayPart[] => {
    const targetAnchor = anchors.get(number)
    if (!targetAnchor) throw new Error(`A comment names section ${number}, which there is not.`)
    return [
      { kind: 'text', text: `[${words}](` },
      { kind: 'relative-link', text: 'specification.md', target, targetAnchor },
      { kind: 'text', text: ')' },
    ]
  }
  return (text) =>
    text.split(/((?:specification |parts? )(?:part )?\d+(?:\.\d+)?)/).flatMap((words, place) => {
      if (place % 2 === 0) return [{ kind: 'text', text: words } as const]
      return linked(words, words.replace(/^\D+/, ''))
    })
}

/** The anchors of the specification's sections, by number. */
function anchorsOf(project: ProjectReflection): Map<string, string> {
  const text = documents(project).find(({ name }) => name === 'specification')?.content ?? []
  const headings =
    text
      .map((part) => part.text)
      .join('')
      .match(/^#{2,3} .*$/gm) ?? []
  return new Map(
    headings.map((heading) => {
      const title = heading.replace(/^#+ /, '')
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-')
      return [/^[\d.]*\d/.exec(title)?.[0] ?? '', anchor]
    }),
  )
}

function explain(comment: Comment, links: Links, project: ProjectReflection): void {
  comment.summary = comment.summary.flatMap((part) => linkedPart(part, links))
  for (const tag of comment.blockTags) {
    tag.content = tag.content.flatMap((part) => linkedPart(part, links))
    nameError(tag, project)
  }
}

function linkedPart(part: CommentDisplayPart, links: Links): CommentDisplayPart[] {
  return part.kind === 'text' ? links(part.text) : [part]
}

/** TypeDoc leaves the type of `@throws {NotFoundError} when …` out. */
function nameError({ tag, typeAnnotation, content }: CommentTag, project: ProjectReflection): void {
  if (tag !== '@throws' || !typeAnnotation) return
  const name = typeAnnotation.replaceAll(/[{}]/g, '')
  const target = project
    .getReflectionsByKind(ReflectionKind.Class)
    .find((reflection) => reflection.name === name)
  content.unshift(
    target
      ? { kind: 'inline-tag', tag: '@link', text: name, target }
      : { kind: 'code', text: `\`${name}\`` },
    { kind: 'text', text: ' ' },
  )
}

function documents(project: ProjectReflection): DocumentReflection[] {
  // Of this kind are those only.
  return project.getReflectionsByKind(ReflectionKind.Document) as DocumentReflection[]
}

/** Documents are named by their file, and the entry point of the client by its path below `dist`. */
function nameByTitle(project: ProjectReflection): void {
  for (const document of documents(project)) {
    const text = document.content.map((part) => part.text).join('')
    const title = /^# (?:.*: )?(.*)$/m.exec(text)?.[1] ?? document.name
    // Decisions stay in a folder of their own.
    document.name = document.name.startsWith('decisions/') ? `Decisions/${title}` : title
  }
  const client = project.getChildByName('index')
  if (client) client.name = project.name
}

/** Sources that pages link to open as text, and programs find the pages as they were written. */
function addFiles(site: string): void {
  for (const file of globSync('media/*.ts', { cwd: site })) {
    renameSync(join(site, file), join(site, `${file}.txt`))
  }
  for (const file of ['llms.txt', ...globSync('docs/**/*.md')]) {
    mkdirSync(join(site, dirname(file)), { recursive: true })
    copyFileSync(file, join(site, file))
  }
}
