export interface InspectorPage {
  html: string
  /** The Content-Security-Policy header, which allows only the page's own script and style, and this server. */
  policy: string
}

/** Returns the page, built from source. The build replaces this module with the built page. */
export async function inspectorPage(): Promise<InspectorPage> {
  const { builtPage } = await import('../../scripts/build/inspector.ts')
  return builtPage()
}
