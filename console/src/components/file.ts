/**
 * By this a spreadsheet knows that a table is not in the letters of its own country. The service's
 * answers are without: programs read them.
 */
const BYTE_ORDER_MARK = '\ufeff';

/** Hands a download to the user as a file; a table so that spreadsheets read any language. */
export async function saveTable(response: Response, name: string): Promise<void> {
  const table = await response.blob();
  const mark = table.type.startsWith('text/csv') ? [BYTE_ORDER_MARK] : [];
  saveBlob(new Blob([...mark, table], { type: table.type }), name);
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun the download by the next turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
