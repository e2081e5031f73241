/** The words of a field that takes several, separated by spaces or commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
