import { spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { printedAddress } from '../../bench/printed-address.ts'

function program(code: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  onTestFinished(() => void child.kill())
  return child
}

it('finds the address of a server on port 0, even if it is printed in parts', async () => {
  const server = program(`
    process.stdout.write('ready at http://127.0.0')
    setImmediate(() => process.stdout.write('.1:4567 now'))`)
  expect(await printedAddress(server)).toBe('http://127.0.0.1:4567')
})

it('rejects with the output of a server that exits', async () => {
  const server = program(`console.error('the port is taken'); process.exitCode = 3`)
  await expect(printedAddress(server)).rejects.toThrow(/ended with 3.*the port is taken/s)
})

it('rejects if a server never prints an address', async () => {
  const server = program('setInterval(() => {}, 1000)')
  await expect(printedAddress(server, 1)).rejects.toThrow('printed no address within 1 ms')
})
