/** SHA-256 over the rows of an archived settlement, which its label has. */
import { createHash } from 'node:crypto';
import type { Cells } from '../../lib/parquet.ts';

/** Lines and reports may come in turn: each kind in its order. */
export class ArchiveDigest {
  readonly #lines = createHash('sha256');
  readonly #reports = createHash('sha256');

  add(cells: Cells): void {
    const texts = Object.values(cells).map((cell) => {
      if (Buffer.isBuffer(cell)) return cell.toString('hex');
      return cell === null ? null : String(cell);
    });
    const hash = cells.kind === 'line' ? this.#lines : this.#reports;
    hash.update(`${JSON.stringify(texts)}\n`);
  }

  /** base64url; nothing can be added afterwards. */
  finish(): string {
    const all = Buffer.concat([this.#lines.digest(), this.#reports.digest()]);
    return createHash('sha256').update(all).digest('base64url');
  }
}
