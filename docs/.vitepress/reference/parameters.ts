import { Comment, type ParameterReflection, type ProjectReflection, ReflectionKind } from 'typedoc'

/**
 * Describes a parameter without a comment with the first sentence of its type's comment. Throws if only some parameters
 * of a function have a description.
 */
export function describeParameters(project: ProjectReflection): void {
  // Reflections of this kind are always parameters.
  const parameters = project.getReflectionsByKind(ReflectionKind.Parameter) as ParameterReflection[]
  for (const parameter of parameters) {
    if (parameter.comment?.hasVisibleComponent()) continue
    const summary = summaryOf(parameter)
    if (summary) parameter.comment = new Comment(summary)
  }
  const described = new Set(parameters.filter(isDescribed).map(({ parent }) => parent))
  const missing = parameters.filter((each) => described.has(each.parent) && !isDescribed(each))
  const names = missing.map((parameter) => parameter.getFullName())
  if (names.length > 0) throw new Error(`Add @param to the comments of: ${names.join(', ')}.`)
}

function isDescribed({ comment }: ParameterReflection): boolean {
  return comment?.hasVisibleComponent() === true
}

/** Returns the first sentence of the comment on a parameter's type. */
function summaryOf({ type }: ParameterReflection): Comment['summary'] | undefined {
  const target = type?.type === 'reference' ? type.reflection : undefined
  const parts = target?.comment?.summary ?? []
  const end = parts.findIndex(({ text }) => /\.(?:\s|$)/.test(text))
  if (end < 0) return undefined
  const [sentence = ''] = /^[\s\S]*?\.(?=\s|$)/.exec(parts[end]?.text ?? '') ?? []
  return [...parts.slice(0, end), { kind: 'text', text: sentence }]
}
