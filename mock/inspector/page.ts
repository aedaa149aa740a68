/** The inspector as it is sent. */
export interface Page {
  html: string
  /** The content security policy: what is in the page, and this very server, and nothing else. */
  policy: string
}

/** The page; when the package is built, `scripts/build/inspector.ts` puts its text in the place of this file. */
export async function inspectorPage(): Promise<Page> {
  const { builtPage } = await import('../../scripts/build/inspector.ts')
  return builtPage()
}
