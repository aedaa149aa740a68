import { type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc'

/** The classes that users create with `new`; the package creates all others. */
const constructed = ['ServiceClient']

/** Hides which members a class overrides, because readers only need to know which members exist. */
export function hideOverrides(project: ProjectReflection): void {
  const members = project.getReflectionsByKind(
    ReflectionKind.ClassMember,
  ) as DeclarationReflection[]
  for (const member of members) {
    delete member.overwrites
    for (const signature of member.getAllSignatures()) delete signature.overwrites
  }
}

/**
 * Hides constructors that users do not call, inherited members of errors, and `[Symbol.hasInstance]` and
 * `[Symbol.toStringTag]`, which are implementation details.
 */
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
  return (
    name === '[hasInstance]' ||
    name === '[toStringTag]' ||
    (inheritedFrom !== undefined && owner.endsWith('Error'))
  )
}
