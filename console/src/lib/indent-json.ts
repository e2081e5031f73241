/** JSON over several lines. Numbers stay as they are written: doubles have fewer digits. */

const STEP = '  ';
/** A string, a bracket or a comma, a colon, anything else but white space. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** What is not JSON keeps its tokens and their order. */
export function indentJson(text: string): string {
  const tokens = text.match(TOKENS) ?? [];
  let depth = 0;
  let out = '';
  const newLine = (): string => `\n${STEP.repeat(depth)}`;
  for (const [at, token] of tokens.entries()) {
    const isEmpty = /^[{[]$/.test(tokens[at - 1] ?? '');
    if (/^[}\]]$/.test(token)) {
      depth = Math.max(0, depth - 1);
      out += isEmpty ? token : `${newLine()}${token}`;
    } else if (token === ',') out += token;
    else if (token === ':') out += ': ';
    else {
      out += isEmpty || tokens[at - 1] === ',' ? `${newLine()}${token}` : token;
      if (/^[{[]$/.test(token)) depth++;
    }
  }
  return out;
}
