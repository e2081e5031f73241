/** Whether a bill is what a person typed: words, an amount, or a number. */
import type { Bill } from '../ledger/index.ts';
import { formatAmount } from '../lib/money.ts';

/** Without case, accents, and the width of letters. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const AMOUNT = /^([+\-−])?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?$/;
const CREDIT = 1;

/** True for the amount as far as its decimals were typed: pages cut amounts, and never round. */
function isAmount(bill: Bill, typed: string): boolean {
  const [, sign, whole, decimals = ''] = AMOUNT.exec(typed) ?? [];
  if (whole === undefined) return false;
  if (sign !== undefined && (sign === '+') !== (bill.direction === CREDIT)) return false;
  const [own, ownDecimals = ''] = formatAmount(bill.amount, bill.scale).split('.');
  return (
    own === whole.replaceAll(',', '').replace(/^0+(?=\d)/, '') &&
    ownDecimals.padEnd(decimals.length, '0').startsWith(decimals)
  );
}

function includesWord(bill: Bill, word: string): boolean {
  const { businessId, rewardType, currency, counterparty, reference, remark } = bill;
  return (
    isAmount(bill, word) ||
    [businessId, rewardType, currency, counterparty, reference, remark].some(
      (text) => text !== null && fold(text).includes(word),
    )
  );
}

/**
 * @param codes transaction types, reward types and other sides that the text stands for
 * @returns the test of a bill: it has one of the codes, or every word of the text
 */
export function matchBill(text: string, codes: ReadonlySet<string>): (bill: Bill) => boolean {
  const words = fold(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (bill) =>
    [bill.businessId, bill.rewardType ?? '', bill.counterparty].some((code) => codes.has(code)) ||
    words.every((word) => includesWord(bill, word));
}

const NUMBER = /^#?([1-9]\d{0,14})$/;

/** The number of a bill or transfer, if the text is one. */
export function readBillNumber(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
