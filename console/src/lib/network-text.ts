/**
 * A network where it must not be taken for another: exchanges go by its name or by its code ("BNB
 * Smart Chain (BSC)"), so both are shown, unless the name holds the code ("Arbitrum One").
 */
export function networkText(code: string, name: string = code): string {
  const isInName = name.toLowerCase().includes(code.replaceAll('_', ' ').toLowerCase());
  return isInName || name === code ? name : `${name} (${code})`;
}
