// Simulates an older version of Node.
const versions = Object.freeze({ ...process.versions, node: '20.20.2' })
Object.defineProperty(process, 'versions', { value: versions })
