import { execFileSync } from 'node:child_process'

/** Returns the file with the certificates that Node or npm is configured to trust, for the programs of other runtimes. */
export function certificatesFile(): string | undefined {
  const npm = () => execFileSync('npm', ['config', 'get', 'cafile'], { encoding: 'utf8' }).trim()
  const file = process.env['NODE_EXTRA_CA_CERTS'] || npm()
  return ['', 'null', 'undefined'].includes(file) ? undefined : file
}
