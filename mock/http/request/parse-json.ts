/** The default minimum number of characters per step. */
const defaultStep = 64 * 1024

/** An object or array whose end has not been parsed. */
interface OpenValue {
  isArray: boolean
  /** The index of the opening bracket. */
  start: number
  /** The indexes of the quotes around the value's name in the outer object. */
  name: readonly [start: number, end: number]
  /** The index of the first character that has not been parsed. */
  from: number
  /** Undefined until a part has been parsed. */
  parsed: unknown[] | Record<string, unknown> | undefined
  /** Whether a nested value that was parsed in parts ends directly before `from`. */
  isAfterValue: boolean
}

/**
 * Parses JSON like `JSON.parse`, but in steps.
 *
 * @param deepest The maximum nesting depth of objects and arrays.
 * @param stepLength The minimum number of characters per step.
 * @throws {SyntaxError} for invalid JSON
 * @throws {RangeError} if the nesting depth exceeds `deepest`
 */
export function* parseJsonInSteps(
  json: string,
  deepest: number,
  stepLength = defaultStep,
): Generator<void, unknown> {
  const open: OpenValue[] = []
  let [nameStart, nameEnd] = [0, 0]
  let isDivided = false
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === codes.quote) {
      nameStart = index
      index = endOfString(json, index)
      nameEnd = index
    } else if (code === codes.bracket || code === codes.brace) {
      if (open.length === deepest)
        throw new RangeError(`JSON should have at most ${deepest} levels`)
      const isArray = code === codes.bracket
      const from = index + 1
      const name = [nameStart, nameEnd] as const
      open.push({ isArray, start: index, name, from, parsed: undefined, isAfterValue: false })
    } else if (code === codes.comma) {
      const last = open.at(-1)
      if (!last || (!last.isAfterValue && index - last.from < stepLength)) continue
      isDivided = true
      parseUntil(json, last, index)
      last.isAfterValue = false
      yield
    } else if (code === codes.closingBracket || code === codes.closingBrace) {
      const last = open.pop()
      if (last?.isArray !== (code === codes.closingBracket)) throw invalidJson()
      // A value without parsed parts is parsed together with the outer value.
      if (!last.parsed) continue
      parseUntil(json, last, index)
      const outer = open.at(-1)
      if (outer) addValue(json, outer, last, index + 1)
      else return wholeOf(json, last, index + 1)
    }
  }
  if (isDivided) throw invalidJson()
  return JSON.parse(json)
}

/** Parses the unparsed part of a value up to a comma or the value's end. */
function parseUntil(json: string, value: OpenValue, end: number): void {
  const { from, isAfterValue } = value
  value.from = end + 1
  if (!isAfterValue) addParts(value, json.slice(from, end))
  else if (!isBlank(json, from, end)) throw invalidJson()
}

function addValue(
  json: string,
  outer: OpenValue,
  { parsed, start, name: [nameStart, nameEnd] }: OpenValue,
  from: number,
): void {
  if (outer.isAfterValue) throw invalidJson()
  // Insert an empty list in place of the value, so that the JSON before it can be parsed.
  addParts(outer, `${json.slice(outer.from, start)}[]`)
  if (Array.isArray(outer.parsed)) outer.parsed[outer.parsed.length - 1] = parsed
  else setOwn(Object(outer.parsed), JSON.parse(json.slice(nameStart, nameEnd + 1)), parsed)
  outer.from = from
  outer.isAfterValue = true
}

/** Adds a part's values. A comma precedes or follows the part, so an empty part is invalid. */
function addParts(value: OpenValue, text: string): void {
  const added: object = JSON.parse(value.isArray ? `[${text}]` : `{${text}}`)
  if (Object.keys(added).length === 0) throw invalidJson()
  value.parsed ??= value.isArray ? [] : {}
  if (Array.isArray(value.parsed)) for (const item of Object.values(added)) value.parsed.push(item)
  else for (const [name, field] of Object.entries(added)) setOwn(value.parsed, name, field)
}

function wholeOf(json: string, { parsed, start }: OpenValue, end: number): unknown {
  if (isBlank(json, 0, start) && isBlank(json, end, json.length)) return parsed
  throw invalidJson()
}

/** Defines the property instead of assigning it, because assigning to `__proto__` would change the prototype. */
function setOwn(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') Object.assign(target, { [name]: value })
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

function isBlank(json: string, from: number, to: number): boolean {
  return /^[ \t\n\r]*$/.test(json.slice(from, to))
}

function invalidJson(): SyntaxError {
  return new SyntaxError('JSON decode error')
}

const valuesPerStep = 10_000

/**
 * Returns whether JSON contains more than `limit` values, without parsing it. Counts an empty object or array as two
 * values. Yields after every 10,000 values.
 */
export function* hasMoreValuesThan(limit: number, json: string): Generator<void, boolean> {
  let count = 1
  for (let index = 0; index < json.length && count <= limit; index += 1) {
    const code = json.charCodeAt(index)
    if (code === codes.quote) index = endOfString(json, index)
    else if (code === codes.comma || code === codes.bracket || code === codes.brace) count += 1
    else continue
    if (count % valuesPerStep === 0) yield
  }
  return count > limit
}

const codes = {
  quote: 34,
  comma: 44,
  bracket: 91,
  backslash: 92,
  closingBracket: 93,
  brace: 123,
  closingBrace: 125,
}

/** Returns the index of the quote that closes a JSON string, or `json.length` if the string is not closed. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === codes.backslash) before -= 1
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
