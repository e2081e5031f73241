/**
 * `GET /community/members/export`: the same selection, streamed as a JSON array or CSV, in pieces,
 * up to the cap.
 */
import { csvField } from '../lib/csv.ts';
import { stringifyExact, toPlainText } from '../lib/exact-json.ts';
import { sizeOf } from './downline-sequence.ts';
import { type MemberSource, selectMembers } from './list-members.ts';
import { readMembers, type Selection } from './queries.ts';
import { type CommunityMember, CommunityMemberVO, type MemberFilters } from './schemas.ts';

const PIECE = 500;
const COLUMNS = Object.keys(CommunityMemberVO.properties) as (keyof CommunityMember)[];

export interface ExportOptions {
  readonly format: 'json' | 'csv';
  readonly amountsAsStrings: boolean;
  readonly cap: number;
}

export interface Export {
  readonly total: number;
  readonly isCapped: boolean;
  readonly text: AsyncGenerator<string>;
}

async function* readPieces(
  source: MemberSource,
  selection: Selection,
  count: number,
): AsyncGenerator<CommunityMember[]> {
  for (let skip = 0; skip < count; skip += PIECE) {
    const members = await readMembers(source, selection, skip, Math.min(PIECE, count - skip));
    if (members.length > 0) yield members;
  }
}

async function* writeCsv(pieces: AsyncIterable<CommunityMember[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const piece of pieces)
    yield piece
      .map(
        (member) =>
          `${COLUMNS.map((column) => csvField(toPlainText(member[column]))).join(',')}\r\n`,
      )
      .join('');
}

async function* writeJson(
  pieces: AsyncIterable<CommunityMember[]>,
  asStrings: boolean,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const piece of pieces) {
    yield separator + piece.map((member) => stringifyExact(member, asStrings)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* nothing(): AsyncGenerator<CommunityMember[]> {}

/** Selects now, reads while the response is sent: later members are not in it. */
export async function exportMembers(
  source: MemberSource,
  userId: number,
  filters: MemberFilters,
  options: ExportOptions,
): Promise<Export> {
  const selection = await selectMembers(source, userId, filters);
  const total = selection ? sizeOf(selection.sequence) : 0;
  const pieces = selection
    ? readPieces(source, selection, Math.min(total, options.cap))
    : nothing();
  return {
    total,
    isCapped: total > options.cap,
    text: options.format === 'csv' ? writeCsv(pieces) : writeJson(pieces, options.amountsAsStrings),
  };
}
