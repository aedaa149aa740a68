import {
  Comment,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc'
import { modules } from './module-list.ts'

/** Adds what each module is for, and renames the module `index`, whose name becomes a part of URLs. */
export function describeModules(project: ProjectReflection): void {
  for (const module of modulesOf(project)) {
    if (module.name === 'index') module.name = 'client'
    const purpose = modules[module.name]?.purpose
    if (!purpose) throw new Error(`Describe the module ${module.name} in module-list.ts.`)
    module.comment ??= new Comment([{ kind: 'text', text: purpose }])
  }
}

/** Names modules as they are imported. */
export function nameModules(project: ProjectReflection): void {
  for (const module of modulesOf(project)) module.name = modules[module.name]?.name ?? module.name
}

function modulesOf(project: ProjectReflection): DeclarationReflection[] {
  return project.getChildrenByKind(ReflectionKind.Module)
}
