import { execFileSync } from 'node:child_process'

/** Returns the certificate file that Node or npm is configured to trust, for programs that do not read this setting. */
export function certificatesFile(): string | undefined {
  const npm = () => execFileSync('npm', ['config', 'get', 'cafile'], { encoding: 'utf8' }).trim()
  const file = process.env['NODE_EXTRA_CA_CERTS'] || npm()
  return ['', 'null', 'undefined'].includes(file) ? undefined : file
}
