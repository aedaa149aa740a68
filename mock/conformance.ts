export { conformanceSetup, servedConformanceSetup } from './remote/conformance-setup.ts'
