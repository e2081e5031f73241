/** Comma-separated values (RFC 4180) that a spreadsheet opens without running a formula. */

/** A text field. An apostrophe keeps spreadsheets from reading the text as a formula. */
export function csvField(value: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  // A semicolon separates columns where the comma is a decimal sign.
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
