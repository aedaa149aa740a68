/** The modules that programs can import, by name. The build of the sandbox replaces this file. */
export const modules: Readonly<Record<string, object>> = {}

/** The text of the files that programs can import, such as `book-lab-test.ts`. */
export const files: Readonly<Record<string, string>> = {}
