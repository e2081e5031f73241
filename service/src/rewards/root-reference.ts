/** What the ledger carries of a settled batch: its number, how many leaves its tree has, and their root. */
export function rootReference(batchId: number, lines: number, root: Buffer): string {
  return `rewards ${batchId} ${lines} ${root.toString('hex')}`;
}
