import { type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc'

/** The classes that users create with `new`; the package creates all others. */
const constructed = ['ServiceClient']

/** Hides which members a class overrides: the reader wants to know what it has. */
export function hideOverrides(project: ProjectReflection): void {
  const members = project.getReflectionsByKind(
    ReflectionKind.ClassMember,
  ) as DeclarationReflection[]
  for (const member of members) {
    delete member.overwrites
    for (const signature of member.getAllSignatures()) delete signature.overwrites
  }
}

/** Hides constructors that nobody calls, what errors inherit, and `[Symbol.hasInstance]`, with which errors recognise each other. */
export function hideNoise(project: ProjectReflection): void {
  // Reflections of these kinds are always declarations.
  const members = project.getReflectionsByKind(
    ReflectionKind.ClassMember,
  ) as DeclarationReflection[]
  for (const member of members) if (isNoise(member)) project.removeReflection(member)
}

function isNoise({ kind, name, parent, inheritedFrom }: DeclarationReflection): boolean {
  const owner = parent?.name ?? ''
  if (kind === ReflectionKind.Constructor) return !constructed.includes(owner)
  return name === '[hasInstance]' || (inheritedFrom !== undefined && owner.endsWith('Error'))
}
