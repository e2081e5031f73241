/** Checks settings that are URLs. */
import { fileURLToPath } from 'node:url';

/** Whether a URL of a file names a path of this machine; other URLs do not have to. */
function isPlace(url: string): boolean {
  if (new URL(url).protocol !== 'file:') return true;
  try {
    return fileURLToPath(url) !== '';
  } catch {
    return false;
  }
}

/** @param problems what is wrong is added here */
export function checkUrl(
  name: string,
  text: string | undefined,
  protocols: readonly string[],
  problems: string[],
): void {
  if (text === undefined || text === '') return;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol) || !isPlace(text))
    problems.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
}
