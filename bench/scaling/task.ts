// Runs as its own process: prints the cost of one case, `node --expose-gc bench/scaling/task.ts clock.advance`.
import { scalingCases } from './cases.ts'
import { measureCosts } from './scaling-case.ts'

const [name = '', option] = process.argv.slice(2)
const found = scalingCases.get(name)
if (!found) throw new Error(`Unknown case ${name}. Cases: ${[...scalingCases.keys()].join(', ')}.`)
console.log(JSON.stringify(await measureCosts(found, option !== '--full')))
