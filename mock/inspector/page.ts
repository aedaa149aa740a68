export interface InspectorPage {
  html: string
  /** The Content-Security-Policy header. Allows only the page's own script, style and images, and requests to this server. */
  policy: string
}

/** Builds the page from source. The build replaces this module with a module that contains the built page. */
export async function inspectorPage(): Promise<InspectorPage> {
  const { builtPage } = await import('../../scripts/build/inspector.ts')
  return builtPage()
}
