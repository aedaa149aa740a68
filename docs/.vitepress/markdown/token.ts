import type { MarkdownRenderer } from 'vitepress'

/** A token of markdown-it. */
export type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** What VitePress tells the rules about the page. */
export interface PageEnvironment {
  /** The path inside `docs`, such as `guides/webhooks.md`. */
  relativePath: string
  frontmatter?: Record<string, unknown>
}
