/**
 * Messages of the service in the reader's language, by their code, with values in the reader's
 * format.
 */
import { amountText } from '../lib/money-text.ts';
import type { Namespace, Translate, Values } from './translate.ts';

type Find = Pick<Translate, 'find'>;
type SaidValues = Readonly<Record<string, string>>;

const SPANS = [
  ['shell', 'span.days', 86_400],
  ['shell', 'span.hours', 3600],
  ['common', 'minutes', 60],
] as const;

/**
 * A span in the largest unit of which it is a whole number: a week is seven days, not 604,800
 * seconds.
 */
export function spanText(t: Find, seconds: number): string | undefined {
  const [namespace, path, size] =
    SPANS.find(([, , length]) => seconds >= length && seconds % length === 0) ??
    (['common', 'seconds', 1] as const);
  return t.find(namespace, path, { count: seconds / size });
}

const KILOBYTE = 1024;

/** How a value is written, by its name. */
const FORMS: Readonly<Record<string, (t: Find, value: string) => string | undefined>> = {
  seconds: (t, value) => spanText(t, Number(value)),
  milliseconds: (t, value) => spanText(t, Number(value) / 1000),
  hours: (t, value) => t.find('shell', 'span.hours', { count: Number(value) }),
  bytes: (_, value) => `${Math.round(Number(value) / KILOBYTE)}\u00a0KB`,
};

function toReadable(t: Find, values: SaidValues): Values {
  const said = Object.entries(values).map(([name, value]) => [
    name,
    FORMS[name]?.(t, value) ?? value,
  ]);
  const { amount, currency } = values;
  return {
    ...Object.fromEntries(said),
    ...(amount !== undefined && { amount: amountText(amount, currency).replaceAll(' ', '\u00a0') }),
  };
}

function findText(
  t: Find,
  namespace: Namespace,
  path: string,
  values: SaidValues = {},
): string | undefined {
  return t.find(namespace, path, toReadable(t, values));
}

interface Reasoned {
  readonly reason?: string;
  /** Absent for text that a person wrote. */
  readonly reason_code?: string;
  readonly reason_values?: SaidValues;
}

/** Why a traffic report does not count. */
export function refusedReportText(
  t: Find,
  { reason = '', reason_code: code, reason_values: values }: Reasoned,
): string {
  return (code !== undefined && findText(t, 'devices', `refusedReason.${code}`, values)) || reason;
}

/** What an operator has decided in words of their own. */
const DECISIONS: Readonly<Record<string, string>> = {
  on_hold: 'operator_looks',
  rejected: 'operator_rejected',
};

/** Why a deposit has its status; undefined where there is nothing to say beyond it. */
export function depositReasonText(
  t: Find,
  { status, reason, reason_code, reason_values: values }: Reasoned & { readonly status: string },
): string | undefined {
  if (reason === undefined) return undefined;
  const code = reason_code ?? DECISIONS[status];
  return (
    findText(t, 'deposits', `reason.${code}_${status}`, values) ??
    findText(t, 'deposits', `reason.${code}`, values)
  );
}

/** The same for operators, who decide what its owner waits for. */
export function operatorDepositReasonText(
  t: Find,
  deposit: Reasoned & { readonly status: string },
): string | undefined {
  const { status, reason, reason_code, reason_values: values } = deposit;
  const code = reason_code ?? DECISIONS[status];
  const own =
    reason === undefined
      ? undefined
      : findText(t, 'operator', `money.depositReason.${code}`, values);
  return own ?? depositReasonText(t, deposit);
}

/** What an operator wrote about a deposit, unchanged. */
export function ownWordsOf({ reason, reason_code }: Reasoned): string | undefined {
  return reason_code === undefined ? reason : undefined;
}

interface Halted {
  readonly halted_reason?: string;
  readonly halted_reason_code?: string;
  readonly halted_reason_values?: SaidValues;
}

/** Why a network is halted, and what to do. */
export function haltText(
  t: Find,
  { halted_reason: reason = '', halted_reason_code: code, halted_reason_values: values }: Halted,
): string {
  return (code !== undefined && findText(t, 'operator', `chains.halt.${code}`, values)) || reason;
}

/** What keeps a network waiting, or how a node of it failed; what has no code is quoted. */
export function chainNoteText(
  t: Find,
  sentence: string,
  code: string | undefined,
  values: SaidValues | undefined,
): string {
  return (
    (code !== undefined && findText(t, 'operator', `chains.note.${code}`, values)) ||
    (t.find('operator', 'chains.note.other', { words: sentence }) ?? sentence)
  );
}

/** Why a message did not arrive. */
export function deliveryText(
  t: Find,
  sentence: string,
  code: string | undefined,
  values: SaidValues | undefined,
): string {
  return (
    (code !== undefined && findText(t, 'operator', `webhooks.error.${code}`, values)) || sentence
  );
}
