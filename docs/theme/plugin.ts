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
import { pagePaths } from '../.vitepress/navigation.ts'

/** Extends TypeDoc: page titles, links to sections of the specification, and the names of thrown errors. */
export function load(app: Application): void {
  if (!existsSync('dist/index.d.ts')) {
    app.logger.error('The reference site needs the build. Run: npm run build')
  }
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    hideConstructors(project)
    sortPages(project)
  })
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }: Context) => {
    const sections = sectionLinks(project)
    for (const { comment } of Object.values(project.reflections)) {
      if (comment) explain(comment, sections, project)
    }
  })
  // The URLs exist at this point, so they keep the short file names.
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => nameByTitle(project))
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = (page.contents ?? '').replaceAll(/(href="[^"]*media\/[^"]+\.ts)"/g, '$1.txt"')
  })
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => addFiles(outputDirectory))
}

/** The declarations of classes that only the package creates have no constructor; TypeDoc would show one without parameters. */
function hideConstructors(project: ProjectReflection): void {
  // Reflections of this kind are always declarations.
  const constructors = project.getReflectionsByKind(
    ReflectionKind.Constructor,
  ) as DeclarationReflection[]
  for (const one of constructors) {
    const isBare = one.signatures?.every(({ parameters = [] }) => parameters.length === 0)
    if (isBare) project.removeReflection(one)
  }
}

function sortPages({ documents, childrenIncludingDocuments }: ProjectReflection): void {
  const place = (one: Reflection) =>
    one.isDocument() ? pagePaths().indexOf(one.name) : Number.MAX_VALUE
  documents?.sort((one, other) => place(one) - place(other))
  childrenIncludingDocuments?.sort((one, other) => place(one) - place(other))
}

type Links = (text: string) => CommentDisplayPart[]

/** Returns a function that turns the number in `(specification 4.8)` or `(specification part 9; …)` into a link. */
function sectionLinks(project: ProjectReflection): Links {
  const path = resolve('docs/reference/specification.md') as NormalizedPath
  const { target } = project.files.registerAbsolute(path)
  const anchors = anchorsOf(project)
  const linked = (words: string, number: string): CommentDisplayPart[] => {
    const targetAnchor = anchors.get(number)
    if (!targetAnchor) throw new Error(`A comment names section ${number}, which does not exist.`)
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

/** Returns the anchors of the sections of the specification, by number. */
function anchorsOf(project: ProjectReflection): Map<string, string> {
  const text = documents(project).find(({ name }) => name.endsWith('specification'))?.content ?? []
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

/** Adds the type in `@throws {NotFoundError} when …`, which TypeDoc omits. */
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
  // Reflections of this kind are always documents.
  return project.getReflectionsByKind(ReflectionKind.Document) as DocumentReflection[]
}

/** Names documents by their title instead of their file, and the entry point of the client by the package. */
function nameByTitle(project: ProjectReflection): void {
  for (const document of documents(project)) {
    const text = document.content.map((part) => part.text).join('')
    const title = /^# (?:.*: )?(.*)$/m.exec(text)?.[1] ?? document.name
    // Decisions stay in their own folder.
    document.name = document.name.startsWith('decisions/') ? `Decisions/${title}` : title
  }
  const client = project.getChildByName('index')
  if (client) client.name = project.name
}

/** Renames linked sources so that browsers show them as text, and adds the Markdown pages for programs. */
function addFiles(site: string): void {
  for (const file of globSync('media/*.ts', { cwd: site })) {
    renameSync(join(site, file), join(site, `${file}.txt`))
  }
  for (const file of ['llms.txt', ...globSync('docs/**/*.md')]) {
    mkdirSync(join(site, dirname(file)), { recursive: true })
    copyFileSync(file, join(site, file))
  }
}
