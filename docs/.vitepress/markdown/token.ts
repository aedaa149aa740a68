import type { MarkdownRenderer } from 'vitepress'

export type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** What VitePress passes to the rules about the page. */
export interface PageEnvironment {
  /** The path inside `docs`, such as `guides/webhooks.md`. */
  relativePath: string
  frontmatter?: Record<string, unknown>
}
