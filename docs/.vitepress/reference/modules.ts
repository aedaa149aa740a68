import {
  Comment,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc'
import { modules } from './module-list.ts'

/** Adds each module's purpose. Renames the module `index`, because the name becomes part of URLs. */
export function describeModules(project: ProjectReflection): void {
  for (const module of modulesOf(project)) {
    if (module.name === 'index') module.name = 'client'
    const purpose = modules[module.name]?.purpose
    if (!purpose) throw new Error(`Describe the module ${module.name} in module-list.ts.`)
    module.comment ??= new Comment([{ kind: 'text', text: purpose }])
  }
}

/** Renames each module to the name that programs import. */
export function nameModules(project: ProjectReflection): void {
  for (const module of modulesOf(project)) module.name = modules[module.name]?.name ?? module.name
}

function modulesOf(project: ProjectReflection): DeclarationReflection[] {
  return project.getChildrenByKind(ReflectionKind.Module)
}
