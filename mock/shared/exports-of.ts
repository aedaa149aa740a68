/** If a module was compiled to CommonJS, `import` puts its exports into `default`. */
export function exportsOf<Module extends object>(module: Module): Module {
  const { default: exported } = Object(module)
  return exported?.__esModule ? exported : module
}
