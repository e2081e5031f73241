/** So many characters as a person counts them; the service counts the same way. */
export const NICKNAME_LENGTH_MAX = 40;
/** More than such a name ever takes: only against pasted books. */
export const NICKNAME_UNITS_MAX = 800;

/** Characters as a person counts them. */
export function countCharacters(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}
