/** Names of time zones. */

/** True for a name of the IANA database, an alias included, that this runtime knows. */
export function isTimeZone(text: string): boolean {
  // Offsets are no names, though the constructor takes them.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
