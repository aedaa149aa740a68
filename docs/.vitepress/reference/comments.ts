import {
  type Comment,
  type CommentDisplayPart,
  type CommentTag,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from 'typedoc'
import { sectionAnchors } from '../sections.ts'

/** Turns `(specification 4.8)` into a link, and adds the name of the error to `@throws`. */
export function linkSections(project: ProjectReflection): void {
  const anchors = sectionAnchors()
  const errors = new Map(
    project.getReflectionsByKind(ReflectionKind.Class).map((error) => [error.name, error]),
  )
  for (const { comment } of Object.values(project.reflections)) {
    if (comment) explain(comment, anchors, errors)
  }
}

function explain(
  comment: Comment,
  anchors: ReadonlyMap<string, string>,
  errors: ReadonlyMap<string, Reflection>,
): void {
  const linked = (part: CommentDisplayPart): CommentDisplayPart =>
    part.kind === 'text' ? { ...part, text: linkText(part.text, anchors) } : part
  comment.summary = comment.summary.map(linked)
  for (const tag of comment.blockTags) {
    tag.content = tag.content.map(linked)
    if (tag.tag === '@throws') nameError(tag, errors)
  }
  mergeThrows(comment)
}

/** Merges all `@throws` tags into one list. */
function mergeThrows(comment: Comment): void {
  const [first, ...others] = comment.blockTags.filter(({ tag }) => tag === '@throws')
  if (!first || others.length === 0) return
  const item = ({ content }: CommentTag): CommentDisplayPart[] => [
    { kind: 'text', text: '\n- ' },
    ...content.map((part) => ({ ...part, text: part.text.replaceAll('\n', '\n  ') })),
  ]
  first.content = [first, ...others].flatMap(item)
  comment.blockTags = comment.blockTags.filter((tag) => !others.includes(tag))
}

/** Links the numbers in `specification 4.8` and `specification part 9`. */
function linkText(text: string, anchors: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /(?:specification |parts? )(?:part )?(\d+(?:\.\d+)?)/g,
    (words, number: string) => {
      const anchor = anchors.get(number)
      if (!anchor) throw new Error(`A comment names section ${number}, which does not exist.`)
      return `[${words}](/reference/specification.md#${anchor})`
    },
  )
}

/** Adds the type in `@throws {NotFoundError} when …`, which TypeDoc omits. */
function nameError(tag: CommentTag, errors: ReadonlyMap<string, Reflection>): void {
  const name = tag.typeAnnotation?.replaceAll(/[{}]/g, '')
  if (!name) return
  const target = errors.get(name)
  tag.content.unshift(
    target
      ? { kind: 'inline-tag', tag: '@link', text: name, target }
      : { kind: 'code', text: `\`${name}\`` },
    { kind: 'text', text: ' ' },
  )
}
