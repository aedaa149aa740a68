import { expect, it } from 'vitest'
import { distributed, unfitLicences } from '../../scripts/release/supply-chain.ts'

const packages = {
  '': { version: '1.0.0' },
  'node_modules/ky': { version: '2.1.0', license: 'MIT' },
  'node_modules/@faker-js/faker': { version: '10.6.0', license: 'MIT', dev: true },
  'node_modules/vitest': { version: '5.1.0', license: 'GPL-3.0-only', dev: true },
  'node_modules/msw': { version: '3.0.5', license: 'MIT', peer: true },
  'node_modules/copyleft': { version: '1.2.3', license: 'AGPL-3.0-only' },
  'node_modules/silent': { version: '4.5.6' },
}

it('finds what is installed with the package or contained in its build, and licences that do not fit', () => {
  const found = distributed(packages, '@faker-js/faker\n\nFaker - Copyright')
  expect(found.map(([name]) => name)).toEqual(['ky', '@faker-js/faker', 'copyleft', 'silent'])
  expect(unfitLicences(found)).toEqual([
    'copyleft@1.2.3: AGPL-3.0-only',
    'silent@4.5.6: no licence',
  ])
})
