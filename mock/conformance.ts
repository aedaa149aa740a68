export {
  connectConformanceSetup,
  createConformanceSetup,
} from './remote/conformance/conformance-setup.ts'
