/** Checks a setting that is a URL. @param problems what is wrong is added here */
export function checkUrl(
  name: string,
  text: string | undefined,
  protocols: readonly string[],
  problems: string[],
): void {
  if (text === undefined || text === '') return;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    problems.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
}
