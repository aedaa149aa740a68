/** Returns a module's exports, which are in `default` if the module was compiled to CommonJS. */
export function exportsOf<Module extends object>(module: Module): Module {
  const { default: exported } = Object(module)
  return exported?.__esModule ? exported : module
}
