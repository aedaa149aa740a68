import { existsSync, writeFileSync } from 'node:fs'
import {
  Application,
  type Context,
  Converter,
  PageEvent,
  ReflectionKind,
  RendererEvent,
} from 'typedoc'
import { markAssumptions } from './assumptions.ts'
import { categorize } from './categories.ts'
import { categories } from './category-list.ts'
import { linkSections } from './comments.ts'
import { hideNoise, hideOverrides } from './hidden.ts'
import { joinPages } from './join.ts'
import { describeModules, nameModules } from './modules.ts'
import { describeParameters } from './parameters.ts'
import { shorten } from './shorten.ts'

/** The text at the start of the reference. */
const introduction =
  'Look up every exported class, function and type, by module. To call the service, start with [all operations](/reference/operations.md), whose pages contain programs that you can run.'

/** Extends TypeDoc: adds categories, module introductions, links to the specification, and the names of thrown errors. */
export function load(app: Application): void {
  if (!existsSync('dist/index.d.ts')) {
    app.logger.error('The reference needs the build. Run: npm run build')
  }
  const order = categories.map(({ title }) => title)
  app.on(Application.EVENT_BOOTSTRAP_END, () => app.options.setValue('categoryOrder', order))
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    hideNoise(project)
    describeModules(project)
    categorize(project)
  })
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }: Context) => {
    hideOverrides(project)
    markAssumptions(project)
    describeParameters(project)
    linkSections(project)
  })
  // The site does not render HTML in Markdown.
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = shorten((page.contents ?? '').replaceAll(/<a id="[^"]*"><\/a> /g, ''))
    if (page.url === 'index.md')
      page.contents = page.contents.replace('\n\n', () => `\n\n${introduction}\n\n`)
  })
  // The URLs exist at this point, so they keep the short names.
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => {
    nameModules(project)
  })
  app.renderer.on(RendererEvent.END, ({ project, pages, outputDirectory }) => {
    const modules = project.getChildrenByKind(ReflectionKind.Module)
    const sidebar = joinPages(outputDirectory, modules, pages)
    writeFileSync(`${outputDirectory}/sidebar.json`, JSON.stringify(sidebar))
  })
}
