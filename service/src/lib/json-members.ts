/** Facts that `JSON.parse` does not give: nesting depth, number of members, repeated members. */

const [QUOTE, BACKSLASH, COLON] = [34, 92, 58];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];

export interface JsonShape {
  readonly depth: number;
  /** Members of all objects, those that repeat a name included. */
  readonly members: number;
}

/** One pass over the text. The result is meaningless for a text that is not JSON. */
export function measureJson(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (isInString) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === COLON) members++;
    else if (char === OPEN_OBJECT || char === OPEN_LIST) deepest = Math.max(deepest, ++depth);
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) depth--;
  }
  return { depth: deepest, members };
}

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs;

/** The first name that an object has twice; requires valid JSON. */
export function findRepeatedMember(text: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
}
