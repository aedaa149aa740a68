import { Comment, type ParameterReflection, type ProjectReflection, ReflectionKind } from 'typedoc'

/** Describes a parameter without a comment with the first sentence of its type's comment. */
export function describeParameters(project: ProjectReflection): void {
  // Reflections of this kind are always parameters.
  const parameters = project.getReflectionsByKind(ReflectionKind.Parameter) as ParameterReflection[]
  for (const parameter of parameters) {
    if (parameter.comment?.hasVisibleComponent()) continue
    const summary = summaryOf(parameter)
    if (summary) parameter.comment = new Comment(summary)
  }
}

/** Returns the comment of the type of a parameter, up to its first period. */
function summaryOf({ type }: ParameterReflection): Comment['summary'] | undefined {
  const target = type?.type === 'reference' ? type.reflection : undefined
  const parts = target?.comment?.summary ?? []
  const end = parts.findIndex(({ text }) => /\.(?:\s|$)/.test(text))
  if (end < 0) return undefined
  const [sentence = ''] = /^[\s\S]*?\.(?=\s|$)/.exec(parts[end]?.text ?? '') ?? []
  return [...parts.slice(0, end), { kind: 'text', text: sentence }]
}
