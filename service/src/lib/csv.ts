/** Comma-separated values (RFC 4180) that a spreadsheet opens without running anything. */

/** A field of text. A spreadsheet takes a text that begins with one of these characters for a formula: an apostrophe stops it. */
export function csvField(value: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  // A semicolon separates columns where the comma is a decimal sign.
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
