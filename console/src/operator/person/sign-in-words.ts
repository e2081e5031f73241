/** Sign-ins of a person as operators read them. */
import type { Translate } from '../../i18n/translate.ts';
import { CLIENT_ID } from '../../session/client-id.ts';

type Find = Pick<Translate, 'find'>;

/** Says that there were several: what they were is named. */
const NO_METHODS: ReadonlySet<string> = new Set(['mfa', 'user']);

/** How someone signed in (RFC 8176), in words. */
export function amrText(t: Find, amr: readonly string[]): string {
  return amr
    .filter((method) => !NO_METHODS.has(method))
    .map((method) => t.find('operator', `person.method.${method}`) ?? method)
    .join(' + ');
}

interface LoggedEvent {
  readonly type: string;
  readonly created_at: string;
  readonly ip: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The console gets its tokens right after the sign-in to it. */
const TOGETHER_MS = 120_000;

/** Newest first, each sign-in to the console once: not also as the application that it allows. */
export function listOnce<T extends LoggedEvent>(events: readonly T[]): T[] {
  const isPartOfSignIn = (event: T, at: number): boolean =>
    event.type === 'application_allowed' &&
    event.details.client_id === CLIENT_ID &&
    events
      .slice(at + 1)
      .some(
        ({ type, ip, created_at: time }) =>
          type === 'signed_in' &&
          ip === event.ip &&
          Date.parse(event.created_at) - Date.parse(time) < TOGETHER_MS,
      );
  return events.filter((event, at) => !isPartOfSignIn(event, at));
}
