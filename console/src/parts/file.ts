/** Hands a downloaded answer to the person as a file. */
export async function saveAnswer(response: Response, name: string): Promise<void> {
  saveBlob(await response.blob(), name);
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
