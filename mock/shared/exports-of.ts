/** Returns a module's exports. `import` puts those of code compiled to CommonJS into `default`. */
export function exportsOf<Module extends object>(module: Module): Module {
  const { default: exported } = Object(module)
  return exported?.__esModule ? exported : module
}
