import { type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc'

/** The classes that users create with `new`; the package creates all others. */
const constructed = ['ServiceClient']

/** Hides constructors that nobody calls, and `[Symbol.hasInstance]`, with which errors recognise each other. */
export function hideNoise(project: ProjectReflection): void {
  // Reflections of these kinds are always declarations.
  const members = project.getReflectionsByKind(
    ReflectionKind.Constructor | ReflectionKind.Method,
  ) as DeclarationReflection[]
  for (const member of members) if (isNoise(member)) project.removeReflection(member)
}

function isNoise({ kind, name, parent }: DeclarationReflection): boolean {
  if (kind === ReflectionKind.Constructor) return !constructed.includes(parent?.name ?? '')
  return name === '[hasInstance]'
}
