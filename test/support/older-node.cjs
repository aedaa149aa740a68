// Makes a program believe that an older Node runs it.
const versions = Object.freeze({ ...process.versions, node: '20.20.2' })
Object.defineProperty(process, 'versions', { value: versions })
