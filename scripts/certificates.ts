import { execFileSync } from 'node:child_process'

/** For programs that do not read the settings of Node and npm. */
export function certificatesFile(): string | undefined {
  const npm = () => execFileSync('npm', ['config', 'get', 'cafile'], { encoding: 'utf8' }).trim()
  const file = process.env['NODE_EXTRA_CA_CERTS'] || npm()
  return ['', 'null', 'undefined'].includes(file) ? undefined : file
}
