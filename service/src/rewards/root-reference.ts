/** Reference of the transfer that anchors a settlement: its id, number of leaves, and root. */
export function rootReference(batchId: number, lines: number, root: Buffer): string {
  return `rewards ${batchId} ${lines} ${root.toString('hex')}`;
}
