/** Reference of the transfer that anchors a settlement: its id, number of leaves, and root. */
export function rootReference(settlementId: number, lines: number, root: Buffer): string {
  return `rewards ${settlementId} ${lines} ${root.toString('hex')}`;
}
