export {
  connectConformanceSetup,
  createConformanceSetup,
} from './remote/conformance-setup.ts'
